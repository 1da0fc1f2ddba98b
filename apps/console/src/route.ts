/** Places are behind the `#`, so that any file server can serve the console. */

export const STACK_TABS = [
  "resources",
  "graph",
  "timeline",
  "events",
  "outputs",
  "template",
] as const;
export type StackTab = (typeof STACK_TABS)[number];

export type Route =
  | { readonly screen: "stacks" }
  | { readonly screen: "create" }
  | { readonly screen: "deployments" }
  | { readonly screen: "deployment"; readonly id: string }
  | { readonly screen: "update"; readonly name: string; readonly id: string }
  | { readonly screen: "repair"; readonly name: string; readonly id: string }
  | { readonly screen: "steps"; readonly story: string | null }
  | { readonly screen: "step"; readonly story: string; readonly name: string; readonly id: string }
  | {
      readonly screen: "stack";
      readonly name: string;
      readonly id: string;
      readonly tab: StackTab;
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

const stepsRoute = ([, story, name, id]: readonly string[]): Route =>
  story && name && id
    ? { screen: "step", story, name, id }
    : { screen: "steps", story: story || null };

export const routeOf = (hash: string): Route => {
  const segments = segmentsOf(hash) ?? [];
  const [screen, name, id, tab, resource = null] = segments;
  if (screen === "steps") return stepsRoute(segments);
  if (screen === "create") return { screen };
  if (screen === "deployments") return name ? { screen: "deployment", id: name } : { screen };
  if ((screen === "update" || screen === "repair") && name && id) return { screen, name, id };
  if (screen !== "stacks" || !name || !id) return { screen: "stacks" };
  const known = STACK_TABS.find((one) => one === tab) ?? "resources";
  return { screen: "stack", name, id, tab: known, resource: resource || null };
};

const addressOf = (segments: readonly string[]): string =>
  `#/${segments.map(encodeURIComponent).join("/")}`;

export const hashOf = (route: Route): string => {
  if (route.screen === "deployment") return addressOf(["deployments", route.id]);
  if (route.screen === "update" || route.screen === "repair") {
    return addressOf([route.screen, route.name, route.id]);
  }
  if (route.screen === "step") return addressOf(["steps", route.story, route.name, route.id]);
  if (route.screen === "steps" && route.story !== null) return addressOf(["steps", route.story]);
  if (route.screen !== "stack") return `#/${route.screen}`;
  const { name, id, tab, resource } = route;
  return addressOf(["stacks", name, id, tab, ...(resource === null ? [] : [resource])]);
};
