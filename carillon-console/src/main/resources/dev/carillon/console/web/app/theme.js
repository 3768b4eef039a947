// Light, dark, or as the system has it.
const KEY = "carillon-theme";
export const THEMES = ["system", "light", "dark"];

class Theme extends EventTarget {
  name = "system";

  constructor() {
    super();
    try {
      this.use(localStorage.getItem(KEY) ?? "system");
    } catch {
      this.use("system");
    }
  }

  use(name) {
    this.name = THEMES.includes(name) ? name : "system";
    document.documentElement.dataset.theme = this.name;
    try {
      localStorage.setItem(KEY, this.name);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }

  next() {
    this.use(THEMES[(THEMES.indexOf(this.name) + 1) % THEMES.length]);
  }
}

export const theme = new Theme();
