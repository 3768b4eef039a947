// An instant as a person reads it, with the whole of it in its title.
import { html, nothing } from "../app/element.js";
import { moment, precisely, relative, viewerZone } from "../app/time.js";

/** 14:07, or Tue 17 Nov 14:07; in the viewer's zone unless said. */
export const timeText = (at, { zone = viewerZone, seconds = false } = {}) =>
  at ? html`<time datetime=${at} title=${precisely(at, zone)}>${moment(at, { zone, seconds })}</time>` : nothing;

/** in 2 m, 3 d ago */
export const relativeText = (at) =>
  at ? html`<time datetime=${at} title=${precisely(at)}>${relative(at)}</time>` : nothing;
