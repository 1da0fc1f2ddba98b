/** Places of the console. They stand behind the `#`, so that any server of files can serve it. */

export const STACK_TABS = ["resources", "graph", "events", "outputs"] as const;
export type StackTab = (typeof STACK_TABS)[number];

export type Route =
  | { readonly screen: "stacks" }
  | {
      readonly screen: "stack";
      readonly name: string;
      readonly id: string;
      readonly tab: StackTab;
      /** The chosen resource. */
      readonly resource: string | null;
    };

const segmentsOf = (hash: string): readonly string[] | null => {
  try {
    return hash
      .replace(/^#?\/?/, "")
      .split("/")
      .map(decodeURIComponent);
  } catch {
    return null;
  }
};

/** An unknown place is the list of stacks. */
export const routeOf = (hash: string): Route => {
  const [screen, name, id, tab, resource = null] = segmentsOf(hash) ?? [];
  if (screen !== "stacks" || !name || !id) return { screen: "stacks" };
  const known = STACK_TABS.find((one) => one === tab) ?? "resources";
  return { screen: "stack", name, id, tab: known, resource: resource || null };
};

export const hashOf = (route: Route): string => {
  if (route.screen !== "stack") return `#/${route.screen}`;
  const { name, id, tab, resource } = route;
  const segments = ["stacks", name, id, tab, ...(resource === null ? [] : [resource])];
  return `#/${segments.map(encodeURIComponent).join("/")}`;
};
