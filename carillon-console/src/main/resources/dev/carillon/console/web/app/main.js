// Begins the console: styles, keys, and the shell around the views.
import "./styles.js";
import "./theme.js";
import "./keys.js";
import "../parts/app-shell.js";

document.body.append(document.createElement("app-shell"));
