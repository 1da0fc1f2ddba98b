/** What the double of an engine knows. */

export interface DoubleContainer {
  readonly id: string;
  name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** As in RFC 3339. */
  created: string;
  status: "created" | "running" | "exited";
  limits: Readonly<Record<string, unknown>>;
  readonly volumes: readonly string[];
  /** By the name of the network. Empty: the engine has not chosen, or not again. */
  readonly addresses: Map<string, string>;
  /** Those that it was given. The engine chooses the others anew at each start. */
  readonly asked: Map<string, string>;
  /** Their texts by their paths. */
  readonly files: Map<string, string>;
}

export interface DoubleNetwork {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly subnet: string;
  readonly gateway: string;
}

export interface DoubleState {
  /** Podman says 500 where Docker says 409 or 403. */
  readonly kind: "docker" | "podman";
  readonly containers: Map<string, DoubleContainer>;
  readonly networks: Map<string, DoubleNetwork>;
  readonly volumes: Map<string, Readonly<Record<string, string>>>;
  /** With the paths of their files. */
  readonly images: Map<string, readonly string[]>;
  /** Podman's trap: names that the storage has and the database has not. */
  readonly heldNames: Set<string>;
  /** Podman's trap: names that the database has and the storage has not. */
  readonly halfRemoved: Set<string>;
  /** Names that a call has taken which is still making its container. */
  readonly takenNames: Set<string>;
  /** Podman's trap: names of containers that can only be made again. */
  readonly unstartable: Map<string, "created" | "exited">;
  /** The names of images that were asked for. */
  readonly pulled: string[];
  made: number;
}

export interface DoubleCall {
  readonly state: DoubleState;
  /** From the path. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface DoubleAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly tar?: Buffer;
}

export interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (call: DoubleCall) => DoubleAnswer;
}

const BRIDGE: DoubleNetwork = {
  id: "id-bridge",
  name: "bridge",
  labels: {},
  subnet: "172.17.0.0/16",
  gateway: "172.17.0.1",
};

export const emptyState = (kind: DoubleState["kind"]): DoubleState => ({
  kind,
  containers: new Map(),
  networks: new Map([[BRIDGE.id, BRIDGE]]),
  volumes: new Map(),
  images: new Map(),
  heldNames: new Set(),
  halfRemoved: new Set(),
  takenNames: new Set(),
  unstartable: new Map(),
  pulled: [],
  made: 0,
});

export const refusal = (status: number, message: string): DoubleAnswer => ({
  status,
  json: { message },
});

/** Docker's status, or 500 with Podman. */
export const conflict = ({ kind }: DoubleState, status: number, message: string): DoubleAnswer =>
  refusal(kind === "podman" ? 500 : status, message);

/** Of a network. Only what runs holds its address. */
export const hasAddress = (
  { containers }: DoubleState,
  network: string,
  address: string,
  except: DoubleContainer,
): boolean =>
  [...containers.values()].some(
    (one) => one !== except && one.status === "running" && one.addresses.get(network) === address,
  );

/** The lowest one that is free. */
export const freeAddress = (
  { containers }: DoubleState,
  { name, subnet }: Pick<DoubleNetwork, "name" | "subnet">,
): string => {
  const start = subnet.split(".").slice(0, 3).join(".");
  const taken = [...containers.values()]
    .filter(({ status }) => status === "running")
    .map(({ addresses }) => addresses.get(name));
  let last = 2;
  while (taken.includes(`${start}.${last}`)) last += 1;
  return `${start}.${last}`;
};

export const newId = (state: DoubleState): string => {
  state.made += 1;
  return `id-${state.made}`;
};

export const hasLabels = (
  labels: Readonly<Record<string, string>>,
  { state: { kind }, query }: Pick<DoubleCall, "state" | "query">,
): boolean => {
  const filters: unknown = JSON.parse(query.get("filters") ?? "{}");
  if (typeof filters !== "object" || filters === null || !("label" in filters)) return true;
  const wanted: unknown = filters.label;
  if (!Array.isArray(wanted)) return true;
  const own = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const has = (label: unknown) => typeof label === "string" && own.includes(label);
  // Podman's trap: one of the labels is enough.
  return kind === "podman" ? wanted.length === 0 || wanted.some(has) : wanted.every(has);
};
