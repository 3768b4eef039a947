// What a new server offers: three schedules to try, each made by one click.
import { html, css, adopt } from "../app/element.js";
import { api } from "../app/api.js";
import { ifMay, perform } from "../app/actions.js";
import { href, router } from "../app/router.js";
import { viewerZone } from "../app/time.js";
import { emptyState } from "./empty-state.js";

const tries = () => [
  {
    key: "hello-every-minute",
    title: "Every minute, a line in the server's log",
    says: "See runs come in, live.",
    definition: {
      target: "log",
      timing: { every: "PT1M" },
      payload: { text: "hello" },
      description: "A first schedule",
      tags: ["try"],
    },
  },
  {
    key: "weekday-morning",
    title: `At 09:00 on weekdays, ${viewerZone}`,
    says: "See how clock changes are handled, and ask why.",
    definition: {
      target: "log",
      timing: { cron: "0 9 * * 1-5", zone: viewerZone },
      payload: { text: "good morning" },
      description: "On the clock of a place",
      tags: ["try"],
    },
  },
  {
    key: "once-in-two-minutes",
    title: "Once, in two minutes",
    says: "See what is planned become a run, and then nothing more.",
    definition: { target: "noop", timing: { in: "PT2M" }, description: "Once and never again", tags: ["try"] },
  },
];

const make = ({ key, definition }) =>
  perform({
    work: () => api.put(api.path`schedules/${key}`, definition),
    done: (schedule) => `${key} is there: ${schedule.timingText}.`,
    undo: () => api.delete(api.path`schedules/${key}`),
  }).then((made) => made && router.open("schedule", { key }));

/** Each leads to the schedule that it makes. */
export const firstSchedules = () =>
  emptyState(
    "Nothing is scheduled yet.",
    "A schedule says when something is due, and its target what is done then. Try one; it can be taken back.",
    ifMay(
      "editor",
      () =>
        html`<div class="tries">
            ${tries().map((one) => html`<button class="try" data-try=${one.key} @click=${(event) => event.detail > 1 || make(one)}><b>${one.title}</b><span class="soft">${one.says}</span></button>`)}
          </div>
          <p><a class="link" href=${href("editor")}>Or write your own</a></p>`,
    ),
  );

adopt(css`
  .tries {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
    gap: 12px;
    margin: 0 0 14px;
    text-align: left;
  }
  .try {
    white-space: normal;
    padding: 14px;
    text-align: left;
    display: grid;
    gap: 4px;
  }
`);
