// What saving a calendar would change, before it is saved: fields, days, slots, and whom it concerns.
import { html, css, adopt, nothing } from "../../app/element.js";
import { href } from "../../app/router.js";
import { count, number } from "../../app/words.js";
import { chip } from "../../parts/status-mark.js";
import { KINDS } from "./days.js";

const SHOWN = 12;

/** @param dry the answer to a dry run */
export function previewOf(dry) {
  if (dry.result === "unchanged") return html`<p>Nothing would change.</p>`;
  return html`<div class="preview">
    ${dry.businessDaysGained === undefined ? nothing : html`<p>${chip("ok", `+ ${number(dry.businessDaysGained)} business days`)} ${chip("bad", `− ${number(dry.businessDaysLost)} business days`)} <span class="soft">until ${dry.daysTo}</span></p>`}
    ${dry.slots ? html`<p>In the next 30 days, of ${count(dry.slots.schedules, "schedule")}: ${chip("skip", `${number(dry.slots.moved)} moved`)} ${chip("bad", `${number(dry.slots.lost)} lost`)} ${chip("ok", `${number(dry.slots.gained)} gained`)}</p>` : nothing}
    ${
      dry.days?.length
        ? html`<ul class="preview-days">
            ${dry.days.slice(0, SHOWN).map((day) => html`<li><b>${day.date}</b> ${KINDS[day.from]} → ${KINDS[day.to]}</li>`)}
          </ul>`
        : nothing
    }
    ${dry.days?.length > SHOWN ? html`<p class="soft">and ${count(dry.days.length - SHOWN, "more day")}</p>` : nothing}
    ${changeList(dry.changes ?? [])} ${dry.users ? html`<p class="soft">${usersText(dry.users)}</p>` : nothing}
    ${dry.notes?.length ? html`<p class="soft">${dry.notes.join("; ")}</p>` : nothing}
    ${(dry.warnings ?? []).map((warning) => html`<p class="field-error">${warning.message}</p>`)}
  </div>`;
}

/** Fields that differ, from what to what. */
export function changeList(changes) {
  if (!changes.length) return nothing;
  return html`<details class="changes" ?open=${changes.length <= SHOWN}>
    <summary class="soft">${count(changes.length, "change")} of the definition</summary>
    <dl class="facts">
      ${changes.map(
        (change) =>
          html`<dt>${change.field}</dt>
            <dd>${said(change.from)} → ${said(change.to)}</dd>`,
      )}
    </dl>
  </details>`;
}

const said = (value) => {
  if (value === null || value === undefined || value === "") return html`<i class="faint">nothing</i>`;
  if (typeof value === "object" && !Array.isArray(value) && (value.date || value.day))
    return [value.closes ?? value.hours?.join(" "), value.name].filter(Boolean).join(" ") || "yes";
  return typeof value === "object" ? html`<span class="mono">${JSON.stringify(value)}</span>` : String(value);
};

export function usersText(users) {
  if (!users.schedules && !users.calendars.length) return "Nothing uses it yet.";
  return [
    users.schedules
      ? `used by ${count(users.schedules, "schedule")}: ${users.firstSchedules.slice(0, 5).join(", ")}${users.schedules > 5 ? " …" : ""}`
      : "",
    users.calendars.length ? `combined by ${users.calendars.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** Who uses a calendar, as links. */
export const userLinks = (users) =>
  html`<p>
      ${users.schedules ? html`${count(users.schedules, "schedule")}: ${users.firstSchedules.map((key, i) => html`${i ? ", " : ""}<a class="link" href=${href("schedule", { key })}>${key}</a>`)}${users.schedules > users.firstSchedules.length ? " …" : ""}` : "No schedule uses it."}
    </p>
    ${users.calendars.length ? html`<p>combined by ${users.calendars.map((name, i) => html`${i ? ", " : ""}<a class="link" href=${href("calendar", { name })}>${name}</a>`)}</p>` : nothing}`;

adopt(css`
  .preview {
    display: grid;
    gap: 6px;
    overflow-wrap: anywhere;
  }
  .preview p {
    margin: 0;
  }
  .preview-days {
    margin: 0;
    padding-left: 18px;
  }
  details.changes summary {
    cursor: pointer;
  }
  details.changes dl {
    margin-top: 6px;
    max-height: 220px;
    overflow: auto;
  }
`);
