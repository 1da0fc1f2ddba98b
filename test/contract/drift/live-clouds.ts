import { join } from "node:path";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#provider/provider.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import { cloudControlProvider } from "#providers/cloud-control/cloud-control.ts";
import { requestOf } from "#providers/cloud-control/types/follow.ts";
import { serverName } from "#providers/docker/types/plan-server.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { environmentFor, startDouble } from "../../cloud-control/cloud-control-double.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { startEngineDouble } from "../../docker/engine-double.ts";
import { IMAGE, providerAt } from "../../docker/provider-play.ts";
import { openEc2Double } from "../../ec2/double/ec2-double.ts";
import { objectIn, ofKind, textIn } from "../../ec2/double/state.ts";
import { all } from "../../openstack/double/state.ts";
import { startDoubleStage } from "../../openstack/double-stage.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { bound, formerProvider } from "./drifted-object.ts";
import type { Cloud, LivedObject } from "./provider-lives.ts";

const networkOf = (more: JsonObject = {}): JsonObject => ({
  net: { type: "OS::Neutron::Net", properties: { name: "front", ...more } },
  subnet: {
    type: "OS::Neutron::Subnet",
    properties: { network: { get_resource: "net" }, cidr: "10.87.0.0/24" },
  },
});

const KINDS: readonly string[] = ["net", "subnet", "volume"];

const docker: Cloud = {
  resourcesOf: (size) => ({
    ...networkOf(),
    data: { type: "OS::Cinder::Volume", properties: { name: "data", size: 1 } },
    server: {
      type: "OS::Nova::Server",
      depends_on: "subnet",
      properties: {
        image: IMAGE,
        flavor: size === 0 ? "1c-64m" : "1c-128m",
        networks: [{ network: { get_resource: "net" } }],
      },
    },
  }),
  follows: {},
  open: async () => {
    const folder = freshFolder();
    const engine = await startEngineDouble(join(folder, "engine.sock"));
    engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
    const { containers, networks, volumes } = engine.state;
    const own = (id: string) => present(containers.get(serverName(id)) ?? null, "the container");
    const objects = () => [
      ...[...containers.values()].map(({ name, labels }) => ({ name, labels })),
      ...[...networks.values()].map(({ name, labels }) => ({ name, labels })),
      ...[...volumes].map(([name, labels]) => ({ name, labels })),
    ];
    const onServer = (what: string, happen: LivedObject["happen"]) => ({
      resource: "server",
      what,
      happen,
    });
    return {
      provided: {
        types: [],
        formerProvider,
        cloud: { backEnd: providerAt(engine.socketPath), ...bound },
      },
      drifts: [
        onServer("changes", (id) => {
          own(id).limits = { ...own(id).limits, Memory: 1_048_576 };
        }),
        onServer("stops", (id) => {
          own(id).status = "exited";
        }),
        onServer("vanishes", (id) => {
          containers.delete(serverName(id));
        }),
      ],
      // A container's address has a record of its own, with the same id.
      isThere: (id) =>
        containers.has(serverName(id)) ||
        objects().some(
          ({ labels }) => labels["hearth.id"] === id && KINDS.includes(labels["hearth.kind"] ?? ""),
        ),
      left: () => objects().flatMap(({ name, labels }) => (labels["hearth.id"] ? [name] : [])),
      running: () =>
        [...containers.values()].flatMap(({ name, status, labels }) =>
          status === "running" && labels["hearth.kind"] === "server" ? [name] : [],
        ),
      stop: async () => {
        await engine.stop();
        removeFolder(folder);
      },
    };
  },
};

const openStack: Cloud = {
  resourcesOf: (size) => ({
    ...networkOf(),
    group: {
      type: "OS::Neutron::SecurityGroup",
      properties: { name: "web", rules: [{ protocol: "tcp" }] },
    },
    port: {
      type: "OS::Neutron::Port",
      depends_on: "subnet",
      properties: {
        network: { get_resource: "net" },
        security_groups: [{ get_resource: "group" }],
      },
    },
    data: { type: "OS::Cinder::Volume", properties: { name: "data", size: 1 } },
    server: {
      type: "OS::Nova::Server",
      properties: {
        name: "web",
        image: "cirros",
        flavor: size === 0 ? "m1.tiny" : "m1.small",
        networks: [{ port: { get_resource: "port" } }],
      },
    },
  }),
  // Nova cannot exchange the first port of a server, so both are replaced.
  follows: { server: ["port"] },
  open: async () => {
    const stage = await startDoubleStage();
    const cloud = openSession(stage.credential);
    const backEnd = openStackProvider(() => cloud, stage.pace);
    const { state } = stage.double;
    const ids = () => [...state.things.values()].flatMap((things) => [...things.keys()]);
    const first = new Set(ids());
    const on = (
      resource: string,
      collection: string,
      what: string,
      members: JsonObject,
    ): LivedObject => ({
      resource,
      what,
      happen: (id) => {
        Object.assign(present(all(state, collection).get(id) ?? null, id).members, members);
      },
    });
    const drop = (resource: string, collection: string): LivedObject => ({
      resource,
      what: "vanishes",
      happen: (id) => {
        all(state, collection).delete(id);
        for (const { members: port } of all(state, "ports").values()) {
          if (port["device_id"] === id) Object.assign(port, { device_id: "", device_owner: "" });
        }
      },
    });
    return {
      provided: { types: [], formerProvider, cloud: { backEnd, ...bound } },
      drifts: [
        on("server", "servers", "changes", { flavor_name: "m1.large" }),
        on("server", "servers", "is renamed", { name: "another" }),
        on("server", "servers", "stops", { status: "SHUTOFF" }),
        drop("server", "servers"),
        on("data", "volumes", "is renamed", { name: "another" }),
        drop("data", "volumes"),
        drop("port", "ports"),
        {
          resource: "group",
          what: "changes",
          happen: () => all(state, "security-group-rules").clear(),
        },
      ],
      isThere: (id) => ids().includes(id),
      left: () =>
        [...state.things].flatMap(([collection, things]) =>
          [...things.values()].flatMap(({ id, members }) =>
            first.has(id) || members["name"] === "default" ? [] : [`${collection} ${id}`],
          ),
        ),
      running: () =>
        [...all(state, "servers").values()].flatMap(({ id, members }) =>
          members["status"] === "ACTIVE" ? [id] : [],
        ),
      stop: () => stage.double.stop(),
    };
  },
};

const ec2: Cloud = {
  resourcesOf: (size) => ({
    ...networkOf(),
    group: {
      type: "OS::Neutron::SecurityGroup",
      properties: { name: "web", rules: [{ protocol: "tcp", port_range_min: 22 }] },
    },
    port: {
      type: "OS::Neutron::Port",
      depends_on: "subnet",
      properties: {
        network: { get_resource: "net" },
        security_groups: [{ get_resource: "group" }],
      },
    },
    data: { type: "OS::Cinder::Volume", properties: { size: 1, volume_type: "gp3" } },
    server: {
      type: "OS::Nova::Server",
      properties: {
        image: "ami-0123abcd",
        flavor: size === 0 ? "small" : "large",
        networks: [{ port: { get_resource: "port" } }],
      },
    },
  }),
  follows: {},
  open: async () => {
    const { provider, state } = await openEc2Double();
    const first = new Set(state.things.keys());
    const stateOf = (members: JsonObject) => textIn(objectIn(members, "State"), "Name");
    const live = () =>
      [...state.things.values()].filter(({ members }) => stateOf(members) !== "terminated");
    /** A server has an id of Hearth's, which is in a tag. */
    const found = (id: string) =>
      live().find((one) => one.id === id || JSON.stringify(one.members).includes(`"${id}"`));
    const on = (resource: string, what: string, members: JsonObject): LivedObject => ({
      resource,
      what,
      happen: (id) => {
        Object.assign(present(found(id) ?? null, id).members, members);
      },
    });
    return {
      provided: { types: [], formerProvider, cloud: { backEnd: provider, ...bound } },
      drifts: [
        on("server", "changes", { InstanceType: "t3.huge" }),
        on("server", "stops", { State: { Name: "stopped" } }),
        {
          resource: "server",
          what: "vanishes",
          happen: (id) => {
            const { id: instance, members } = present(found(id) ?? null, id);
            members["State"] = { Name: "terminated" };
            for (const { members: port } of ofKind(state, "network-interface")) {
              if (textIn(objectIn(port, "Attachment"), "InstanceId") === instance) {
                delete port["Attachment"];
              }
            }
          },
        },
        on("data", "changes", { VolumeType: "gp2" }),
        {
          resource: "data",
          what: "vanishes",
          happen: (id) => {
            state.things.delete(id);
          },
        },
        on("group", "changes", { IpPermissions: [] }),
        on("port", "changes", { Groups: [{ GroupId: [...first][0] ?? "" }] }),
      ],
      isThere: (id) => found(id) !== undefined,
      left: () => live().flatMap(({ id }) => (first.has(id) ? [] : [id])),
      running: () =>
        live().flatMap(({ id, members }) => (stateOf(members) === "running" ? [id] : [])),
      stop: async () => undefined,
    };
  },
};

const cloudControl: Cloud = {
  resourcesOf: (size) => ({
    queue: { type: "AWS::SQS::Queue", properties: { DelaySeconds: 1 + size } },
    bucket: {
      type: "AWS::S3::Bucket",
      depends_on: "queue",
      properties: {
        BucketName: "archive",
        VersioningConfiguration: { Status: size === 0 ? "Enabled" : "Suspended" },
      },
    },
  }),
  follows: {},
  open: async () => {
    const { double, url, stop } = await startDouble({ polls: 1, lookSeconds: 0 });
    Object.assign(process.env, environmentFor(url));
    const account = await openAccount("demo", ROLE, 0.02);
    const family = cloudControlProvider(() => account);
    const keyOf = (id: string) => {
      const named = double.requests.get(requestOf(id) ?? "")?.identifier ?? id;
      return [...double.objects].find(([, { identifier }]) => identifier === named)?.[0] ?? "";
    };
    const on = (resource: string, members: JsonObject): LivedObject => ({
      resource,
      what: "changes",
      happen: (id) => {
        const object = present(double.objects.get(keyOf(id)) ?? null, id);
        object.model = { ...object.model, ...members };
      },
    });
    const drop = (resource: string): LivedObject => ({
      resource,
      what: "vanishes",
      happen: (id) => {
        double.objects.delete(keyOf(id));
      },
    });
    return {
      provided: { types: [], formerProvider, family: { family, ...bound } },
      drifts: [
        on("queue", { DelaySeconds: 77 }),
        on("bucket", { VersioningConfiguration: { Status: "Theirs" } }),
        drop("queue"),
        drop("bucket"),
      ],
      isThere: (id) => keyOf(id) !== "",
      left: () => [...double.objects.keys()],
      running: () => [],
      stop,
    };
  },
};

export const CLOUDS = { docker, openstack: openStack, ec2, "cloud-control": cloudControl } as const;
