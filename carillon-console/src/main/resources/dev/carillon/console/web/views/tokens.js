// API tokens: who may sign in, with which role, for what and until when. A token itself is shown once, when it is made.
import { CarillonElement, html, css, adopt, nothing } from "../app/element.js";
import { api, isAbort } from "../app/api.js";
import { ask, offer, toast } from "../app/actions.js";
import { serverNow } from "../app/clock.js";
import { href } from "../app/router.js";
import { emptyState, failureState } from "../parts/empty-state.js";
import { status } from "../parts/status-mark.js";
import { relativeText, timeText } from "../parts/time-text.js";
import "../parts/data-table.js";

const PAGE = 100;
const ROLES = [
  ["viewer", "viewer: reads everything but tokens"],
  ["operator", "operator: also runs, pauses, cancels, and works as a worker"],
  ["editor", "editor: also defines schedules, calendars and workflows"],
  ["admin", "admin: also manages targets and tokens"],
];
const LIFETIMES = [
  ["P1D", "a day"],
  ["P30D", "30 days"],
  ["P90D", "90 days"],
  ["P365D", "a year"],
  ["", "it is revoked"],
];
const SCOPES = [
  ["targets", "Only these targets", "labels, with commas between"],
  ["tags", "Only schedules with one of these tags", "with commas between"],
  ["keys", "Only schedules whose keys begin with", "with commas between"],
];

class TokensView extends CarillonElement {
  static properties = { params: { attribute: false }, page: { state: true }, failure: { state: true } };
  #withdraw;

  connectedCallback() {
    super.connectedCallback();
    this.#withdraw = offer({ id: "new-token", title: "New token", role: "admin", run: () => this.#create() });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#withdraw();
  }

  willUpdate(changed) {
    if (changed.has("params") && changed.get("params")?.cursor !== this.params.cursor) this.page = undefined;
    if (changed.has("params") && !this.page) this.#load();
  }

  async #load() {
    try {
      [this.page, this.failure] = [
        await api.get("tokens", { query: { limit: PAGE, cursor: this.params.cursor }, signal: this.signal }),
        undefined,
      ];
    } catch (failure) {
      if (!isAbort(failure)) this.failure = failure;
    }
  }

  async #create() {
    const made = await ask({
      title: "New token",
      fields: [
        { name: "name", label: "Name: who or what uses it", required: true },
        { name: "role", label: "Role", type: "select", options: ROLES, value: "viewer", pointer: "/roles" },
        {
          name: "lasts",
          label: "Good until, from now",
          type: "select",
          options: LIFETIMES,
          value: "P90D",
          pointer: "/expiresIn",
        },
        ...SCOPES.map(([name, label, hint]) => ({ name, label, hint, pointer: "/scope/" + name })),
      ],
      confirm: "Make the token",
      submit: (values) => api.post("tokens", wanted(values)),
    });
    if (!made) return;
    this.#load();
    await ask({
      title: `The token of ${made.name}`,
      says: shownOnce(made.token),
      confirm: "Done",
      only: true,
      submit: async () => true,
    });
  }

  #revoke(token) {
    return ask({
      title: `Revoke ${token.name}?`,
      says: "Whoever uses it is locked out at once, sessions and streams too. This cannot be taken back.",
      confirm: "Revoke the token",
      danger: true,
      submit: () => api.delete(api.path`tokens/${token.id}`),
    }).then((done) => done && (toast(`${token.name} is revoked.`), this.#load()));
  }

  #columns() {
    return [
      {
        name: "name",
        title: "token",
        cell: (token) =>
          html`<a class="key" href=${href("audit", { actor: token.name })} title="What was changed with it"
              >${token.name}</a
            >
            <div class="faint only-small">${token.roles.join(", ")}</div>`,
      },
      { name: "state", title: "state", cell: (token) => state(token) },
      { name: "roles", title: "role", wide: true, cell: (token) => token.roles.join(", ") },
      { name: "scope", title: "reaches", wide: true, cell: (token) => scope(token.scope) },
      {
        name: "used",
        title: "last used",
        wide: true,
        cell: (token) => (token.lastUsedAt ? relativeText(token.lastUsedAt) : html`<span class="faint">never</span>`),
      },
      {
        name: "made",
        title: "made",
        wide: true,
        cell: (token) =>
          html`${timeText(token.createdAt)}
            <div class="faint">${token.createdBy}</div>`,
      },
      {
        name: "actions",
        title: html`<span class="hidden">actions</span>`,
        right: true,
        cell: (token) =>
          valid(token) ? html`<button class="small" @click=${() => this.#revoke(token)}>Revoke…</button>` : nothing,
      },
    ];
  }

  render() {
    return html`<div class="top">
        <h1>Tokens</h1>
        <span class="soft">who may sign in</span><span class="grow"></span
        ><button class="primary" @click=${() => this.#create()}>New token</button>
      </div>
      ${
        this.failure
          ? html`<div class="panel">${failureState(this.failure, () => this.#load())}</div>`
          : html`<data-table
              caption="Tokens"
              .columns=${this.#columns()}
              .items=${this.page?.items}
              .nextCursor=${this.page?.nextCursor}
              .params=${this.params}
              .keyOf=${(token) => token.id}
              .empty=${emptyState("There is no token yet.", "Programs and people sign in with tokens; give each its own, with as little as it needs.")}
            ></data-table>`
      }`;
  }
}
customElements.define("tokens-view", TokensView);

const valid = (token) => !token.revokedAt && !(token.expiresAt && new Date(token.expiresAt) <= serverNow());

function state(token) {
  if (token.revokedAt)
    return html`${status("bad", "revoked")}
      <div class="faint">${relativeText(token.revokedAt)} by ${token.revokedBy}</div>`;
  if (!valid(token))
    return html`${status("skip", "expired")}
      <div class="faint">${relativeText(token.expiresAt)}</div>`;
  return html`${status("ok", "valid")}
    <div class="faint">${token.expiresAt ? html`ends ${relativeText(token.expiresAt)}` : "until it is revoked"}</div>`;
}

function scope(limits) {
  if (!limits) return html`<span class="soft">everything</span>`;
  return SCOPES.filter(([name]) => limits[name]?.length).map(
    ([name]) =>
      html`<div><span class="faint">${name === "keys" ? "keys from" : name}</span> ${limits[name].join(", ")}</div>`,
  );
}

function wanted({ name, role, lasts, ...limits }) {
  const scope = Object.fromEntries(
    Object.entries(limits).map(([kind, text]) => [
      kind,
      text
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean),
    ]),
  );
  return {
    name,
    roles: [role],
    ...(lasts ? { expiresIn: lasts } : {}),
    ...(Object.keys(scope).length ? { scope } : {}),
  };
}

const shownOnce = (token) =>
  html`<p>Copy it now: it is shown this once, and kept nowhere.</p>
    <div class="token-once">
      <input
        id="made-token"
        class="mono"
        readonly
        aria-label="The token"
        .defaultValue=${token}
        @focus=${(event) => event.target.select()}
      />
      <button type="button" @click=${(event) => copy(event.target, token)}>Copy</button>
    </div>`;

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Without TLS browsers have no clipboard for pages; the reader copies what is marked.
    button.previousElementSibling.focus();
  }
}

adopt(css`
  .token-once {
    display: flex;
    gap: 8px;
  }
  tokens-view td[data-column="made"],
  tokens-view td[data-column="scope"] {
    overflow-wrap: anywhere;
    max-width: 220px;
  }
  tokens-view td[data-column="roles"],
  tokens-view td[data-column="used"] {
    white-space: nowrap;
  }
  tokens-view .only-small {
    display: none;
  }
  @media (max-width: 760px) {
    tokens-view .only-small {
      display: block;
    }
  }
`);
