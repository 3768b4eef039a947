// Days of a calendar as lines of text, which are quick to write, to paste and to compare: "2026-12-25 Christmas".

const LISTS = {
  holidays: {
    day: "date",
    write: (one) => [one.date, one.name],
    read: ([date, ...name]) => ({ date, name: name.join(" ") }),
  },
  recurringHolidays: {
    day: "day",
    write: (one) => [one.day, one.name],
    read: ([day, ...name]) => ({ day, name: name.join(" ") }),
  },
  halfDays: {
    day: "date",
    write: (one) => [one.date, one.closes ?? one.hours?.join(","), one.name],
    read: ([date, until = "", ...name]) => ({ date, ...hours(until), name: name.join(" ") }),
  },
  extraWorkingDays: {
    day: "date",
    write: (one) => [one.date, one.hours?.join(","), one.name],
    read: ([date, ...rest]) =>
      rest[0]?.includes(":")
        ? { date, ...hours(rest[0]), name: rest.slice(1).join(" ") }
        : { date, name: rest.join(" ") },
  },
};

const hours = (text) => (text.includes("-") ? { hours: text.split(",") } : text ? { closes: text } : {});

/** Writes a list of days, such as the holidays, one a line. */
export const writeDays = (field, days = []) =>
  days.map((one) => LISTS[field].write(one).filter(Boolean).join(" ")).join("\n");

/** Reads such lines; what they say is for the server to judge. */
export const readDays = (field, text) =>
  lines(text)
    .map((line) => LISTS[field].read(line.split(/\s+/)))
    .map(({ name, ...day }) => (name ? { ...day, name } : day));

const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Writes spans of hours: 09:00-13:00, 14:00-18:00. */
export const writeSpans = (spans = []) => spans.join(", ");
export const readSpans = (text) => text.split(/[\s,]+/).filter(Boolean);

/** Writes windows of quiet hours: "monday friday 22:00-07:00", or "daily 22:00-07:00". */
export const writeWindows = (windows = []) =>
  windows
    .map((window) => `${!window.days || window.days.length === 7 ? "daily" : window.days.join(" ")} ${window.hours}`)
    .join("\n");

/** Reads such lines; days may be cut short: mon, or a range: mon-fri. */
export const readWindows = (text) => lines(text).map((line) => readWindow(line.split(/[\s,]+/)));

function readWindow(words) {
  const days = words
    .slice(0, -1)
    .filter((word) => word.toLowerCase() !== "daily")
    .flatMap(range);
  return days.length ? { days, hours: words.at(-1) } : { hours: words.at(-1) };
}

function range(text) {
  const [from, to] = text.toLowerCase().split("-");
  if (!to) return [weekday(from)];
  const [first, last] = [DAYS.indexOf(weekday(from)), DAYS.indexOf(weekday(to))];
  if (first < 0 || last < 0) return [text];
  return DAYS.filter((day, i) => (first <= last ? i >= first && i <= last : i >= first || i <= last));
}

const weekday = (text) => DAYS.find((day) => text.length >= 2 && day.startsWith(text)) ?? text;
