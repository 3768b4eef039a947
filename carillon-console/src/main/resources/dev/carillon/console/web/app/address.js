// Where the server is: all addresses are made from that of this module, so that any prefix of a proxy works.
const root = new URL("../../../../", import.meta.url);

/** Returns the address of something of the REST API, such as "runs". */
export function apiUrl(path, query = {}) {
  return withQuery(new URL("api/v1/" + path, root), query);
}

/** Returns the address of a view, with what its state is. */
export function href(view, query = {}) {
  return withQuery(new URL("console/" + view, root), query).href;
}

/** Returns the view that an address leads to; undefined if it leads elsewhere. */
export function viewOf(url) {
  const base = new URL("console/", root);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return undefined;
  const path = url.pathname.slice(base.pathname.length);
  return path.includes("/") || path.endsWith(".svg") ? undefined : path;
}

function withQuery(url, query) {
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
  }
  return url;
}
