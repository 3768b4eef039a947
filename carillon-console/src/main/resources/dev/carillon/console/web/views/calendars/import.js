// Imports holidays into a calendar, of a country or from an iCalendar file, after showing what that changes.
import { ApiError, api } from "../../app/api.js";
import { ask, toast } from "../../app/actions.js";
import { html } from "../../app/element.js";
import { viewerZone } from "../../app/time.js";
import { count } from "../../app/words.js";
import { previewOf } from "./preview.js";

/** Asks for everything; resolves with the name of the calendar once it is imported. `name` is that of one there is. */
export async function importHolidays(name) {
  const { countries } = await api.get("holiday-countries");
  const year = new Date().getFullYear();
  const wanted = await ask({
    title: name ? `Import holidays into ${name}` : "New calendar with the holidays of a country",
    says: "Holidays of a country, as they are known now, or those of an iCalendar file.",
    fields: [
      ...(name
        ? []
        : [
            { name: "name", label: "Name of the calendar", required: true },
            { name: "zone", label: "Time zone", value: viewerZone, required: true },
          ]),
      {
        name: "country",
        label: "Country",
        type: "select",
        value: "",
        options: [["", "none: from a file"], ...countries.map((one) => [one.country, one.name])],
      },
      { name: "region", label: "Region, if its holidays differ", hint: "such as BY for Bavaria" },
      { name: "years", label: "Years", value: `${year}, ${year + 1}` },
      { name: "ics", label: "or a file (.ics)", type: "file" },
      {
        name: "replace",
        label: "Holidays that it has in these years",
        type: "select",
        value: "",
        options: [
          ["", "stay"],
          ["true", "are replaced"],
        ],
      },
    ],
    confirm: "Show what changes",
    submit: async (values) => {
      const request = await read(values, name);
      return { request, dry: await request.send(true) };
    },
  });
  if (!wanted) return undefined;
  const { request, dry } = wanted;
  const done = await ask({
    title: `Import ${count(dry.holidays, "holiday")} into ${request.name}?`,
    says: html`<p>
        From
        ${dry.source}.${dry.ignored ? ` ${count(dry.ignored, "entry", "entries")} of the file became no holiday.` : ""}
      </p>
      ${previewOf(dry)}`,
    fields: [{ name: "reason", label: "Reason, kept with the version" }],
    confirm: "Import",
    submit: ({ reason }) => request.send(false, reason),
  });
  if (!done) return undefined;
  toast(`${request.name} is saved as version ${done.version}.`);
  return request.name;
}

async function read(values, known) {
  const file = values.ics?.size ? await values.ics.text() : "";
  if (!file && !values.country)
    throw new ApiError(422, { errors: [{ pointer: "/country", message: "choose a country or a file" }] });
  const body = file
    ? { ics: file }
    : {
        country: values.country,
        ...(values.region ? { region: values.region } : {}),
        years: (values.years ?? "")
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(Number),
      };
  const name = known ?? values.name;
  const query = { zone: known ? undefined : values.zone, replace: values.replace || undefined };
  return {
    name,
    send: (dryRun, reason) =>
      api.post(api.path`calendars/${name}/import`, body, {
        query: { ...query, ...(dryRun ? { dryRun: true } : { reason }) },
      }),
  };
}
