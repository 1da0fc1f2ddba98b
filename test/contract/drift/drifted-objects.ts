import { join } from "node:path";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { Json, JsonObject as PlainObject } from "#provider/provider.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import { cloudControlProvider } from "#providers/cloud-control/cloud-control.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { environmentFor, startDouble } from "../../cloud-control/cloud-control-double.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { startEngineDouble } from "../../docker/engine-double.ts";
import { IMAGE, providerAt } from "../../docker/provider-play.ts";
import { openEc2Double } from "../../ec2/double/ec2-double.ts";
import { type Kind, type Members, ofKind } from "../../ec2/double/state.ts";
import { all } from "../../openstack/double/state.ts";
import { startDoubleStage } from "../../openstack/double-stage.ts";
import { DISK, MACHINE, openMachines } from "../../unit/provider/machines.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import {
  bound,
  type DriftedObject,
  formerProvider,
  nothing,
  type OpenObject,
} from "./drifted-object.ts";
import { MACHINE_OBJECTS } from "./machine-objects.ts";

const onPlugIn = (type: string): DriftedObject => ({
  title: type === MACHINE ? "a plug-in's type" : "a plug-in's type without `update`",
  resources: { it: { type, properties: { size: "small", image: "first" } } },
  open: async () => {
    const { provider, machines } = openMachines();
    const types = Object.entries(provider.types).map(([name, given]) =>
      providedType({ provider: provider.name, name, type: given, ...bound }),
    );
    const change = (by: object) => () => {
      for (const [id, machine] of machines) machines.set(id, { ...machine, ...by });
    };
    return {
      provided: { types, formerProvider },
      changes: {
        changed: change({ properties: { size: "large", image: "first" } }),
        ...(type === MACHINE ? { stopped: change({ runs: false }) } : {}),
        gone: () => machines.clear(),
      },
      stop: nothing,
    };
  },
});

const onCloudControl = (title: string, resources: JsonObject, by: PlainObject): DriftedObject => ({
  title,
  resources,
  open: async () => {
    const { double, url, stop } = await startDouble({ polls: 0 });
    Object.assign(process.env, environmentFor(url));
    const account = await openAccount("demo", ROLE, 0.02);
    const family = cloudControlProvider(() => account);
    const own = () => present([...double.objects.entries()].at(-1), "the object of `it`");
    return {
      provided: { types: [], formerProvider, family: { family, ...bound } },
      changes: {
        changed: () => {
          const [, object] = own();
          object.model = { ...object.model, ...by };
        },
        gone: () => {
          double.objects.delete(own()[0]);
        },
      },
      stop,
    };
  },
});

const DOCKER_RESOURCES: JsonObject = {
  net: { type: "OS::Neutron::Net" },
  subnet: {
    type: "OS::Neutron::Subnet",
    properties: { network: { get_resource: "net" }, cidr: "10.87.0.0/24" },
  },
  it: {
    type: "OS::Nova::Server",
    depends_on: "subnet",
    properties: {
      image: IMAGE,
      flavor: "1c-64m",
      networks: [{ network: { get_resource: "net" } }],
    },
  },
};

const onDocker: DriftedObject = {
  title: "`OS::Nova::Server` on Docker",
  resources: DOCKER_RESOURCES,
  open: async () => {
    const folder = freshFolder();
    const engine = await startEngineDouble(join(folder, "engine.sock"));
    engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
    const { containers, networks } = engine.state;
    const own = () => present([...containers.values()][0], "a container");
    return {
      provided: {
        types: [],
        formerProvider,
        cloud: { backEnd: providerAt(engine.socketPath), ...bound },
      },
      changes: {
        changed: () => {
          own().limits = { ...own().limits, Memory: 1_048_576 };
        },
        stopped: () => {
          own().status = "exited";
        },
        gone: () => containers.clear(),
        renamed: () => {
          const one = own();
          containers.delete(one.name);
          one.name = "another";
          containers.set(one.name, one);
        },
        "related gone": () => {
          own().addresses.clear();
          for (const id of networks.keys()) if (id !== "id-bridge") networks.delete(id);
        },
      },
      stop: async () => {
        await engine.stop();
        removeFolder(folder);
      },
    };
  },
};

const onOpenStack = (
  title: string,
  resources: JsonObject,
  collection: string,
  changesOf: (
    members: () => Record<string, Json>,
    drop: (collection: string) => void,
  ) => OpenObject["changes"],
): DriftedObject => ({
  title,
  resources,
  open: async () => {
    const stage = await startDoubleStage();
    const cloud = openSession(stage.credential);
    const backEnd = openStackProvider(() => cloud, stage.pace);
    const { state } = stage.double;
    const drop = (from: string) => {
      const id = present([...all(state, from).keys()].at(-1), from);
      all(state, from).delete(id);
      // As in Nova, the ports of a server are free when the server is gone.
      for (const { members: port } of all(state, "ports").values()) {
        if (port["device_id"] === id) Object.assign(port, { device_id: "", device_owner: "" });
      }
    };
    const members = () => present([...all(state, collection).values()].at(-1), collection).members;
    return {
      provided: { types: [], formerProvider, cloud: { backEnd, ...bound } },
      changes: { gone: () => drop(collection), ...changesOf(members, drop) },
      stop: () => stage.double.stop(),
    };
  },
});

const OPENSTACK_SERVER: JsonObject = {
  net: { type: "OS::Neutron::Net", properties: { name: "front" } },
  subnet: {
    type: "OS::Neutron::Subnet",
    properties: { network: { get_resource: "net" }, cidr: "10.87.0.0/24" },
  },
  port: {
    type: "OS::Neutron::Port",
    depends_on: "subnet",
    properties: { network: { get_resource: "net" } },
  },
  it: {
    type: "OS::Nova::Server",
    properties: {
      name: "web",
      image: "cirros",
      flavor: "m1.tiny",
      networks: [{ port: { get_resource: "port" } }],
    },
  },
};

const onEc2 = (
  title: string,
  resources: JsonObject,
  kind: Kind,
  changesOf: (members: () => Members) => OpenObject["changes"],
): DriftedObject => ({
  title,
  resources,
  open: async () => {
    const { provider, state } = await openEc2Double();
    const own = () => present(ofKind(state, kind).at(-1), kind);
    return {
      provided: { types: [], formerProvider, cloud: { backEnd: provider, ...bound } },
      changes: {
        gone: () => {
          state.things.delete(own().id);
        },
        ...changesOf(() => own().members),
      },
      stop: nothing,
    };
  },
});

const EC2_PORT: JsonObject = {
  net: { type: "OS::Neutron::Net" },
  subnet: {
    type: "OS::Neutron::Subnet",
    properties: { network: { get_resource: "net" }, cidr: "10.87.0.0/24" },
  },
  it: {
    type: "OS::Neutron::Port",
    depends_on: "subnet",
    properties: { network: { get_resource: "net" } },
  },
};

export const DRIFTED_OBJECTS: readonly DriftedObject[] = [
  onPlugIn(MACHINE),
  onPlugIn(DISK),
  onCloudControl(
    "`AWS::SQS::Queue`",
    { it: { type: "AWS::SQS::Queue", properties: { DelaySeconds: 1 } } },
    { DelaySeconds: 77 },
  ),
  onCloudControl(
    "`AWS::ECR::Repository` with `RepositoryName`",
    {
      it: {
        type: "AWS::ECR::Repository",
        properties: {
          RepositoryName: "web",
          EncryptionConfiguration: { EncryptionType: "AES256" },
        },
      },
    },
    { EncryptionConfiguration: { EncryptionType: "KMS" } },
  ),
  onDocker,
  onOpenStack("`OS::Nova::Server` on OpenStack", OPENSTACK_SERVER, "servers", (members, drop) => ({
    changed: () => {
      members()["flavor_name"] = "m1.small";
    },
    stopped: () => {
      members()["status"] = "SHUTOFF";
    },
    renamed: () => {
      members()["name"] = "another";
    },
    "related gone": () => drop("ports"),
  })),
  onOpenStack(
    "`OS::Neutron::SecurityGroup` on OpenStack",
    {
      it: {
        type: "OS::Neutron::SecurityGroup",
        properties: { name: "web", rules: [{ protocol: "tcp" }] },
      },
    },
    "security-groups",
    (members, drop) => ({
      changed: () => drop("security-group-rules"),
      renamed: () => {
        members()["name"] = "another";
      },
    }),
  ),
  onOpenStack(
    "`OS::Cinder::Volume` on OpenStack",
    { it: { type: "OS::Cinder::Volume", properties: { name: "data", size: 1 } } },
    "volumes",
    (members) => ({
      renamed: () => {
        members()["name"] = "another";
      },
    }),
  ),
  onEc2(
    "`OS::Nova::Server` in EC2",
    { it: { type: "OS::Nova::Server", properties: { image: "ami-0123abcd", flavor: "small" } } },
    "instance",
    (members) => ({
      changed: () => {
        members()["InstanceType"] = "t3.large";
      },
      stopped: () => {
        members()["State"] = { Name: "stopped" };
      },
    }),
  ),
  onEc2("`OS::Neutron::Port` in EC2", EC2_PORT, "network-interface", (members) => ({
    changed: () => {
      members()["Groups"] = [{ GroupId: "sg-0000ffff" }];
    },
  })),
  onEc2(
    "`OS::Neutron::SecurityGroup` in EC2",
    {
      it: {
        type: "OS::Neutron::SecurityGroup",
        properties: { name: "web", rules: [{ protocol: "tcp", port_range_min: 22 }] },
      },
    },
    "security-group",
    (members) => ({
      changed: () => {
        members()["IpPermissions"] = [];
      },
    }),
  ),
  onEc2(
    "`OS::Cinder::Volume` in EC2",
    { it: { type: "OS::Cinder::Volume", properties: { size: 1, volume_type: "gp3" } } },
    "volume",
    (members) => ({
      changed: () => {
        members()["VolumeType"] = "gp2";
      },
    }),
  ),
  ...MACHINE_OBJECTS,
];
