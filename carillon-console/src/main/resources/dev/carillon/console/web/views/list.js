// All views, one line each, in the order of the navigation. `path` is the last part of the address; `load` brings the module
// that defines the element `tag`; `group: "system"` puts it below the line; `key` opens it after g; `whole: true` hides it from
// callers whose scope leaves something out; `role` from those who have less; `within` names the view whose detail it is, and
// keeps it out of the navigation.
export const views = [
  { path: "now", title: "Now", tag: "now-view", key: "h", whole: true, load: () => import("./now.js") },
  { path: "schedules", title: "Schedules", tag: "schedules-view", key: "s", load: () => import("./schedules.js") },
  {
    path: "schedule",
    title: "Schedule",
    tag: "schedule-view",
    within: "schedules",
    load: () => import("./schedule.js"),
  },
  { path: "editor", title: "Editor", tag: "editor-view", within: "schedules", load: () => import("./editor.js") },
  { path: "runs", title: "Runs", tag: "runs-view", key: "r", load: () => import("./runs.js") },
  { path: "run", title: "Run", tag: "run-view", within: "runs", load: () => import("./run.js") },
  { path: "timeline", title: "Timeline", tag: "timeline-view", key: "l", load: () => import("./timeline.js") },
  { path: "forecast", title: "Forecast", tag: "forecast-view", key: "f", load: () => import("./forecast.js") },
  {
    path: "dead-letters",
    title: "Dead letters",
    tag: "dead-letters-view",
    key: "d",
    load: () => import("./dead-letters.js"),
  },
  {
    path: "calendars",
    title: "Calendars",
    tag: "calendars-view",
    key: "c",
    group: "system",
    load: () => import("./calendars.js"),
  },
  {
    path: "calendar",
    title: "Calendar",
    tag: "calendar-view",
    within: "calendars",
    load: () => import("./calendar.js"),
  },
  {
    path: "targets",
    title: "Targets",
    tag: "targets-view",
    key: "e",
    group: "system",
    load: () => import("./targets.js"),
  },
  {
    path: "workflows",
    title: "Workflows",
    tag: "workflows-view",
    key: "w",
    group: "system",
    whole: true,
    load: () => import("./workflows.js"),
  },
  {
    path: "workflow",
    title: "Workflow",
    tag: "workflow-view",
    within: "workflows",
    whole: true,
    load: () => import("./workflow.js"),
  },
  {
    path: "nodes",
    title: "Nodes",
    tag: "nodes-view",
    key: "n",
    group: "system",
    whole: true,
    load: () => import("./nodes.js"),
  },
  { path: "audit", title: "Audit", tag: "audit-view", key: "a", group: "system", load: () => import("./audit.js") },
  {
    path: "tokens",
    title: "Tokens",
    tag: "tokens-view",
    key: "k",
    group: "system",
    role: "admin",
    load: () => import("./tokens.js"),
  },
];

/** The views of the navigation of whoever is signed in. */
export const shownViews = (session) =>
  views.filter((view) => !view.within && session.may(view.role ?? "viewer") && (!view.whole || session.reachesAll));
