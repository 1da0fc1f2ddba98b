export interface DoubleContainer {
  readonly id: string;
  name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  created: string;
  status: "created" | "running" | "exited";
  limits: Readonly<Record<string, unknown>>;
  readonly volumes: readonly string[];
  /** By the name of the network. Empty if the engine has not chosen one, or has released it. */
  readonly addresses: Map<string, string>;
  /** The requested addresses. The engine chooses all others anew at each start. */
  readonly asked: Map<string, string>;
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
  /** Podman answers 500 where Docker answers 409 or 403. */
  readonly kind: "docker" | "podman";
  readonly containers: Map<string, DoubleContainer>;
  readonly networks: Map<string, DoubleNetwork>;
  readonly volumes: Map<string, Readonly<Record<string, string>>>;
  readonly images: Map<string, readonly string[]>;
  /** A Podman fault: names that exist in its storage but not in its database. */
  readonly heldNames: Set<string>;
  /** A Podman fault: names that exist in its database but not in its storage. */
  readonly halfRemoved: Set<string>;
  /** Names of containers that are just being created. */
  readonly takenNames: Set<string>;
  /** A Podman fault: names of containers that cannot be started, only created again. */
  readonly unstartable: Map<string, "created" | "exited">;
  readonly pulled: string[];
  made: number;
}

export interface DoubleCall {
  readonly state: DoubleState;
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

export const conflict = ({ kind }: DoubleState, status: number, message: string): DoubleAnswer =>
  refusal(kind === "podman" ? 500 : status, message);

/** Only running containers occupy an address. */
export const hasAddress = (
  { containers }: DoubleState,
  network: string,
  address: string,
  except: DoubleContainer,
): boolean =>
  [...containers.values()].some(
    (one) => one !== except && one.status === "running" && one.addresses.get(network) === address,
  );

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
  // Podman matches an object that has any one of the labels; Docker demands all of them.
  return kind === "podman" ? wanted.length === 0 || wanted.some(has) : wanted.every(has);
};
