/**
 * The host's metrics in Prometheus's text format (version 0.0.4). Names, units and types follow its
 * conventions. No label contains a project, stack, server or token. Values are read at each
 * request.
 */
import { readFileSync } from "node:fs";
import { Counter, Gauge, Registry } from "prom-client";
import { proxyResult } from "#functions/http-event.ts";
import { diskSpace } from "#lib/adapters/sqlite/disk-space.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { QueueDepth } from "#lib/ports/queue.ts";
import { type AgentContact, agentContact } from "#lib/software-config/diagnosis/agent-contact.ts";
import manifest from "../../package.json" with { type: "json" };
import type { AccessEntry } from "./access-log.ts";
import type { Answer } from "./exchange.ts";
import { dataBytes, keyTime, readable, tokensThatEnd } from "./forewarnings.ts";
import type { HostPorts } from "./host-ports.ts";
import { failureAnswer, LIVENESS_PATH, READINESS_PATH } from "./routes.ts";
import { certificateEnd, type TlsFiles } from "./tls-files.ts";

const METRICS_PATH = "/metrics";
const TEXT = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } as const;

export const answerMetrics =
  (measured: Measured, others: Answer): Answer =>
  async (request) => {
    const { path, method } = request;
    if (path === LIVENESS_PATH || path === READINESS_PATH) return others(request);
    if (path !== METRICS_PATH) return proxyResult(faultResponse(404, "HTTPNotFound"));
    if (method !== "GET" && method !== "HEAD")
      return proxyResult(
        faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: "GET,HEAD" }),
      );
    try {
      const body = await hostMetrics(measured);
      return { statusCode: 200, headers: { ...TEXT, "Cache-Control": "no-store" }, body };
    } catch (error) {
      return failureAnswer(error);
    }
  };

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly samples: readonly (readonly [labels: Labels, value: number])[];
}

const exposition = (metrics: readonly Metric[]): Promise<string> => {
  const registry = new Registry();
  for (const { name, help, type, samples } of metrics.filter((one) => one.samples.length > 0)) {
    const labelNames = Object.keys(samples[0]?.[0] ?? {});
    const settings = { name, help, labelNames, registers: [registry] };
    if (type === "counter") {
      const counted = new Counter(settings);
      for (const [labels, value] of samples) counted.inc(labels, value);
    } else {
      const shown = new Gauge(settings);
      for (const [labels, value] of samples) shown.set(labels, value);
    }
  }
  return registry.metrics();
};

const metric =
  (type: Metric["type"]) =>
  (name: string, help: string, samples: Metric["samples"]): Metric => ({
    name: `hearth_${name}`,
    help,
    type,
    samples,
  });
const gauge = metric("gauge");
const counter = metric("counter");

const single = (value: number | null): Metric["samples"] => (value === null ? [] : [[{}, value]]);

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

interface RequestCounter {
  count(entry: Pick<AccessEntry, "listener" | "status">): void;
  samples(): Metric["samples"];
}

export const requestCounter = (): RequestCounter => {
  const counts = new Map<string, { readonly labels: Labels; count: number }>();
  return {
    count: ({ listener, status }) => {
      const code = String(status ?? "none");
      const key = `${listener} ${code}`;
      const known = counts.get(key) ?? { labels: { listener, code }, count: 0 };
      known.count += 1;
      counts.set(key, known);
    },
    samples: () => [...counts.values()].map(({ labels, count }) => [labels, count]),
  };
};

interface Measured {
  readonly host: HostPorts;
  readonly requests: RequestCounter;
  readonly tls: TlsFiles | undefined;
  readonly isReady: () => boolean;
}

const QUEUE_STATES = ["waiting", "delayed", "inFlight"] as const;
const STATE_NAMES = { waiting: "waiting", delayed: "delayed", inFlight: "in_flight" } as const;

const ofQueues = (depths: readonly QueueDepth[]): readonly Metric[] => [
  gauge(
    "queue_messages",
    "Messages in a queue, by state. Delayed messages are not due yet.",
    depths.flatMap((depth) =>
      QUEUE_STATES.map(
        (state) => [{ queue: depth.queue, state: STATE_NAMES[state] }, depth[state]] as const,
      ),
    ),
  ),
  gauge(
    "queue_oldest_due_message_age_seconds",
    "How long the oldest due message of a queue has been waiting. 0 if no message is due.",
    depths.map(({ queue, oldestWaitingMs }) => [{ queue }, (oldestWaitingMs ?? 0) / 1_000]),
  ),
];

const COUNTERS: Readonly<Record<string, string>> = {
  traversals: "Operations on stacks that were begun.",
  visits: "Handled visits of resources.",
  messages: "Messages that were sent to queues.",
  sync_point_writes: "Writes to SyncPoints.",
  events: "Events of stacks.",
};

const CONTACTS: readonly AgentContact[] = ["polls", "refused", "silent", "unseen"];

const ofStorage = async ({ host }: Measured): Promise<readonly Metric[]> => {
  const { database, ports } = host;
  const now = ports.clock.now();
  const counts = database.counters.read();
  const contacts = database.seenServers().map((server) => agentContact(server, now));
  return [
    ...ofQueues(await database.queue.depths()),
    ...Object.entries(COUNTERS).map(([name, help]) =>
      counter(`${name}_total`, help, single(counts[name] ?? 0)),
    ),
    gauge(
      "stacks_in_progress",
      "Stacks with an operation under way.",
      single(database.unsettled()),
    ),
    gauge(
      "last_sweep_timestamp_seconds",
      "When the sweeper last finished. It runs each minute.",
      single(seconds(await ports.store.lastSweepAt())),
    ),
    gauge(
      "last_backup_timestamp_seconds",
      "When hearth backup last made a backup of the folder.",
      single(seconds(database.lastBackupAt())),
    ),
    gauge(
      "servers",
      "Servers by the state of contact with their agents.",
      CONTACTS.map((contact) => [{ contact }, contacts.filter((one) => one === contact).length]),
    ),
  ];
};

const ofFolder = ({ host: { foreseen } }: Measured): readonly Metric[] => {
  if (foreseen === null) return [];
  const { folder, clock } = foreseen;
  const disk = readable(() => diskSpace(folder));
  const made = keyTime(folder);
  return [
    gauge("disk_size_bytes", "Size of the data folder's disk.", single(disk?.bytes ?? null)),
    gauge(
      "disk_free_bytes",
      "How much the host may still write to the data folder's disk.",
      single(disk?.freeBytes ?? null),
    ),
    gauge("data_bytes", "Size of the databases.", single(readable(() => dataBytes(folder)))),
    gauge(
      "signing_key_created_timestamp_seconds",
      "When the key that signs the agents' URLs was created.",
      single(seconds(made)),
    ),
    gauge(
      "tokens_ending",
      "API tokens that expire within 14 days, or in the last fifth of their lifetime.",
      single(tokensThatEnd(foreseen, clock.now()).length),
    ),
  ];
};

const ofProcess = ({ host, requests, tls, isReady }: Measured): readonly Metric[] => {
  const { user, system } = process.cpuUsage();
  const end = tls && readable(() => certificateEnd(readFileSync(tls.certFile, "utf8")));
  return [
    gauge("build_info", "Always 1.", [[{ version: manifest.version }, 1]]),
    gauge(
      "ready",
      "1 if the host is ready for requests, as GET /_ready reports.",
      single(isReady() ? 1 : 0),
    ),
    gauge(
      "storage_up",
      "1 if the storage works. While it is 0, metrics that are read from the storage are left out.",
      single(host.storage.faults().length === 0 ? 1 : 0),
    ),
    counter("http_requests_total", "Answered requests.", requests.samples()),
    gauge(
      "certificate_expiry_timestamp_seconds",
      "When the certificate expires, or the first one of its chain.",
      single(seconds(end ?? null)),
    ),
    // These names have no prefix, because every Prometheus client library uses them.
    {
      name: "process_cpu_seconds_total",
      help: "Processor time that the host has used.",
      type: "counter",
      samples: [[{}, (user + system) / 1_000_000]],
    },
    {
      name: "process_resident_memory_bytes",
      help: "Memory of the host.",
      type: "gauge",
      samples: [[{}, process.memoryUsage.rss()]],
    },
    {
      name: "process_start_time_seconds",
      help: "When the host was started.",
      type: "gauge",
      samples: [[{}, performance.timeOrigin / 1_000]],
    },
  ];
};

const hostMetrics = async (measured: Measured): Promise<string> => {
  const isUp = measured.host.storage.faults().length === 0;
  const stored = isUp ? [...(await ofStorage(measured)), ...ofFolder(measured)] : [];
  return exposition([...ofProcess(measured), ...stored]);
};
