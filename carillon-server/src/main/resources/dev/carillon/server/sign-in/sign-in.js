"use strict";
const form = document.getElementById("form");
const code = document.getElementById("code");
const said = document.getElementById("said");
const use = document.getElementById("use");

// The code stays out of the history of the browser.
if (location.hash.length > 1) {
  code.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const answer = await fetch("api/v1/sign-in", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ code: code.value.trim() }),
    });
    const body = await answer.json();
    if (!answer.ok) {
      said.textContent = body.detail || body.title || "The server refused the link.";
      return;
    }
    form.remove();
    said.textContent = "Signed in as administrator until " + body.expiresAt + ". Use this token with the command line:";
    use.textContent = "export CARILLON_SERVER=" + location.origin + "\nexport CARILLON_TOKEN=" + body.token;
  } catch (failure) {
    said.textContent = "The server does not answer; try again.";
  }
});
