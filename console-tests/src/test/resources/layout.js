// What is wrong with the layout of the page at its present width; each function returns short descriptions.

/* What is wider than a small screen on purpose, and scrolls in its own box. */
var scrolls = ".links, pre, .chart, .chart-scroll, .year-scroll, .heat-scroll, .strip";

var shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".hidden") && e.getBoundingClientRect().width > 0;
var told = (e) => `${e.outerHTML.replace(/<!--.*?-->/gs, "").replace(/\s+/g, " ").slice(0, 140)} in ${e.parentElement?.className || e.parentElement?.localName}`;

/* The nearest ancestor that is drawn as a box, if nothing between them scrolls. */
var boxOf = (e) => {
  for (let at = e.parentElement; at; at = at.parentElement) {
    if (at.matches(".panel, dialog, main, nav, fieldset, .toast, td, .field")) return at;
    if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return undefined;
  }
  return undefined;
};

var tooWide = () => {
  const all = [...document.querySelectorAll("body *")].filter((e) => shown(e) && !e.closest("svg svg, svg *") && !e.closest(scrolls));
  const sticksOut = all.filter((e) => {
    const box = boxOf(e)?.getBoundingClientRect();
    const own = e.getBoundingClientRect();
    return box && (own.right > Math.min(innerWidth, box.right) + 1 || own.left < box.left - 1);
  });
  const cutOff = all.filter((e) => {
    const style = getComputedStyle(e);
    const clips = !["visible", "auto", "scroll"].includes(style.overflowX) && style.textOverflow !== "ellipsis" && style.webkitLineClamp === "none";
    return clips && !e.matches("input, select, textarea") && e.scrollWidth > e.clientWidth + 1;
  });
  const scrolled = all.filter((e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1);
  const page = document.documentElement.scrollWidth > innerWidth ? ["the page is " + document.documentElement.scrollWidth + " wide"] : [];
  return [...page, ...sticksOut.slice(-5).map((e) => "sticks out: " + told(e)), ...cutOff.slice(-5).map((e) => "is cut off: " + told(e)), ...scrolled.map((e) => `scrolls sideways by ${e.scrollWidth - e.clientWidth}: ` + told(e))];
};

/* As WCAG 2.5.8 has it, links within text may be small, so may what has room around it, and the squares of a year, as the
   field for an instant does the same. */
var unreachable = () => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((e) => shown(e) && !e.disabled && !e.closest("svg"));
  const before = scrollY;
  const covered = all.filter((e) => {
    e.scrollIntoView({ block: "center", inline: "center" });
    const own = [...e.getClientRects()].find((rect) => rect.width > 0);
    if (!own) return false;
    const there = document.elementFromPoint(own.x + own.width / 2, own.y + own.height / 2);
    return !there || !(e.contains(there) || there.contains(e) || there.closest("label")?.contains(e));
  });
  scrollTo(0, before);
  const small = all.filter((e) => {
    const own = (e.closest("label") ?? e).getBoundingClientRect();
    return e.matches("button:not(.square), select, input") && Math.min(own.width, own.height) < 24 && !roomy(e, all);
  });
  return [...covered.slice(0, 5).map((e) => "is covered: " + told(e)), ...small.slice(0, 5).map((e) => "is smaller than 24 by 24: " + told(e))];
};

/* A circle of 24 pixels around its centre touches nothing else that can be tapped. */
var roomy = (e, all) => {
  const centre = (rect) => [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const [x, y] = centre(e.getBoundingClientRect());
  return all.every((other) => {
    if (other === e || other.contains(e) || e.contains(other)) return true;
    const rect = other.getBoundingClientRect();
    const near = Math.hypot(Math.max(rect.left - x, 0, x - rect.right), Math.max(rect.top - y, 0, y - rect.bottom));
    return near >= 12;
  });
};

