import { randomUUID } from "node:crypto";
import type { StackListQuery } from "#lib/engine/stacks/list-stacks.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type {
  ConvergenceGraph,
  GraphHeader,
  GraphPart,
  NodeData,
  SyncPointKey,
} from "#lib/model/graph.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import type { Arrival } from "#lib/ports/store.ts";

/** This is far in the future, so that a store with its own clock does not expire the records. */
export const NOW = 4_000_000_000_000;

export const aStack = (fields: Partial<Stack> = {}): Stack => ({
  tenant: `tenant-${randomUUID()}`,
  id: randomUUID(),
  name: "web",
  description: "",
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "Stack CREATE started",
  actor: null,
  traversalId: "traversal-1",
  traversalNumber: 1,
  statusVersion: 1,
  templateId: "template-1",
  lastGood: null,
  lastGoodTags: null,
  lastGoodDescription: null,
  convergedAt: null,
  running: null,
  overtook: false,
  sentAt: NOW,
  cleanupFailed: null,
  suspended: false,
  abandonsUnreachable: false,
  visitsAll: false,
  converges: false,
  deadline: NOW + 3_600_000,
  timeoutMins: 60,
  disableRollback: true,
  tags: [],
  owner: null,
  snapshots: [],
  settled: false,
  createdAt: NOW,
  updatedAt: null,
  endedAt: null,
  deletedAt: null,
  expiresAt: null,
  ...fields,
});

export const anOperation = (fields: Partial<Operation> = {}): Operation => ({
  traversalId: "traversal-1",
  isUpdate: true,
  action: "CREATE",
  generation: 1,
  startedAt: NOW,
  deadline: NOW + 60_000,
  handle: null,
  type: "OS::Heat::TestResource",
  templateId: "template-1",
  properties: "sealed",
  requires: [],
  before: { action: "INIT", status: "COMPLETE", statusReason: "" },
  ...fields,
});

export type NewRow = Omit<Resource, "version">;

export const aRow = (fields: Partial<NewRow> = {}): NewRow => ({
  tenant: "tenant",
  stackId: randomUUID(),
  id: randomUUID(),
  name: "server",
  type: "OS::Heat::TestResource",
  number: 1,
  generation: 0,
  templateId: null,
  action: "INIT",
  status: "COMPLETE",
  statusReason: "",
  physicalResourceId: null,
  properties: null,
  reference: null,
  requires: [],
  replaces: null,
  replacedBy: null,
  updateDone: null,
  cleanupDone: null,
  failed: null,
  checkFailed: false,
  health: null,
  outcomeUnknown: false,
  externalId: null,
  operation: null,
  lease: null,
  pause: null,
  signals: 0,
  nextPollAt: null,
  waitUntil: null,
  signalReason: null,
  signalId: null,
  createdAt: NOW,
  updatedAt: NOW,
  expiresAt: null,
  ...fields,
});

export const aPointKey = (fields: Partial<SyncPointKey> = {}): SyncPointKey => ({
  traversalId: randomUUID(),
  resourceId: randomUUID(),
  isUpdate: true,
  bucket: "",
  ...fields,
});

export const someData = (name: string): NodeData => ({
  id: `row-${name}`,
  name,
  reference: `sealed reference of ${name}`,
  checkFailed: false,
});

export const anArrival = (fields: Partial<Arrival> = {}): Arrival => ({
  stackId: "stack",
  predecessor: 0,
  at: NOW,
  fanIn: 3,
  data: null,
  expiresAt: NOW + 1_000,
  ...fields,
});

export const aGraph = (fields: Partial<ConvergenceGraph> = {}): ConvergenceGraph => ({
  stackId: randomUUID(),
  traversalId: randomUUID(),
  traversalNumber: 1,
  action: "CREATE",
  templateId: "template-1",
  nodes: [
    { resourceId: "a", name: "A", isUpdate: true, requires: [], requiredBy: [1], mints: true },
    {
      resourceId: "b",
      name: "B",
      isUpdate: true,
      requires: [0],
      requiredBy: [],
      mints: true,
      leftOut: [{ id: "d", name: "D" }],
    },
    {
      resourceId: "c",
      name: "B",
      isUpdate: false,
      requires: [1],
      requiredBy: [],
      mints: false,
      heldBy: ["e"],
    },
  ],
  ...fields,
});

export const aGraphHeader = (fields: Partial<GraphHeader> = {}): GraphHeader => ({
  stackId: randomUUID(),
  traversalId: randomUUID(),
  traversalNumber: 1,
  action: "CREATE",
  templateId: "template-1",
  parts: {
    build: randomUUID(),
    nodeCount: 3,
    rootCount: 1,
    updateRootCount: 1,
    hasCleanup: true,
    starts: [0, 2],
    directoryCount: 1,
  },
  ...fields,
});

export const aGraphPart = (fields: Partial<GraphPart> = {}): GraphPart => ({
  nodes: [
    {
      resourceId: "a",
      name: "A",
      isUpdate: true,
      mints: true,
      leftOut: [{ id: "d", name: "D" }],
      fanIn: 0,
      requiredBy: [{ resourceId: "b", isUpdate: true, at: 1, fanIn: 2, predecessor: 1 }],
      rootIndex: null,
      updateRootIndex: null,
    },
    {
      resourceId: "b",
      name: "B",
      isUpdate: false,
      mints: false,
      heldBy: ["e"],
      fanIn: 2,
      requiredBy: [],
      rootIndex: 0,
      updateRootIndex: 3,
    },
  ],
  positions: {},
  ...fields,
});

export const anEvent = (fields: Partial<StackEvent> = {}): StackEvent => ({
  id: randomUUID(),
  tenant: "tenant",
  stackId: randomUUID(),
  time: NOW,
  resourceName: "server",
  resourceType: "OS::Heat::TestResource",
  physicalResourceId: "",
  resourceId: "row",
  resourceAction: "CREATE",
  resourceStatus: "IN_PROGRESS",
  reason: "state changed",
  change: { recordId: "row", version: 1, traversalNumber: 1 },
  generation: 1,
  ...fields,
});

export const aCheck = (resourceId: string): CheckResourceMessage => ({
  type: "check_resource",
  tenant: "tenant",
  stackId: "stack",
  traversalId: "traversal",
  resourceId,
  isUpdate: true,
});

export const aDeployment = (fields: Partial<DeploymentRecord> = {}): DeploymentRecord => ({
  tenant: "tenant",
  serverId: randomUUID(),
  id: randomUUID(),
  stackId: "stack",
  resourceId: "row",
  resourceName: "deployment",
  generation: 2,
  delivery: 1,
  derivedConfigId: randomUUID(),
  name: "install",
  action: "CREATE",
  status: "IN_PROGRESS",
  statusReason: "",
  derivedConfig: "sealed",
  outputValues: "sealed",
  wholeOutputOf: null,
  inputValues: "sealed",
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});

/** The query of a list without filters. */
export const ALL_STACKS: StackListQuery = {
  filters: {
    id: undefined,
    name: undefined,
    status: undefined,
    action: undefined,
    ownerId: undefined,
    username: undefined,
    tags: undefined,
    tagsAny: undefined,
    notTags: undefined,
    notTagsAny: undefined,
  },
  showDeleted: false,
  counts: false,
  showNested: false,
  marker: undefined,
  limit: undefined,
  sortKeys: [],
  ascending: false,
};
