import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { openProperties, openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { standingRows } from "#lib/stack/standing-rows.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";
import { isSet, reads } from "../given-values.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";

const blockDeviceMappings: PropertySchema = {
  type: "list",
  description: "The volumes that the server gets as its disks.",
  items: {
    type: "map",
    schema: {
      DeviceName: {
        type: "string",
        description: "The name of the disk on the server, such as vdb.",
        required: true,
      },
      Ebs: {
        type: "map",
        description: "The volume to make from a snapshot.",
        schema: {
          DeleteOnTermination: {
            type: "boolean",
            description: "Whether the volume is deleted together with the server.",
            default: true,
          },
          Iops: {
            type: "number",
            description: "How many reads and writes the volume can do each second. Not supported.",
            unimplemented: true,
          },
          SnapshotId: {
            type: "string",
            description: "The ID of the snapshot with the content of the volume.",
            constraints: [{ custom: "cinder.snapshot" }],
          },
          VolumeSize: {
            type: "string",
            description:
              "How large the volume is, in gigabytes. At least the size of the snapshot. Without it, Nova chooses the size.",
          },
          VolumeType: {
            type: "string",
            description: "The type of the volume. Not supported.",
            unimplemented: true,
          },
        },
      },
      NoDevice: {
        type: "map",
        description: "Leaves out a disk that the image defines. Not supported.",
        unimplemented: true,
      },
      VirtualName: {
        type: "string",
        description: "The name of a temporary disk, such as ephemeral0. Not supported.",
        unimplemented: true,
      },
    },
  },
};

const mappingProblem = (mapping: Json): string | null => {
  const volume = isJsonObject(mapping) ? (member(mapping, "Ebs") ?? null) : null;
  if (!isJsonObject(volume) || isEmpty(volume)) {
    return "Ebs is missing, this is required when specifying BlockDeviceMappings.";
  }
  return isSet(volume, "SnapshotId")
    ? null
    : "SnapshotId is missing, this is required when specifying BlockDeviceMappings.";
};

const launchConfigurationProblem = (given: JsonObject): Problem => {
  const mappings = member(given, "BlockDeviceMappings") ?? null;
  const wrong = isJsonArray(mappings)
    ? mappings.map(mappingProblem).find((problem) => problem !== null)
    : undefined;
  if (wrong !== undefined) return wrong;
  if (isSet(given, "InstanceId")) return null;
  reads(given, "ImageId", "InstanceType");
  return isSet(given, "ImageId") && isSet(given, "InstanceType")
    ? null
    : "If without InstanceId, ImageId and InstanceType are required.";
};

const launchConfigurationSchema: ResourceSchema = {
  description: "The settings of the servers that an autoscaling group starts.",
  properties: {
    ImageId: {
      type: "string",
      description: "The image that the server starts from, by ID or name.",
      constraints: [{ custom: "glance.image" }],
    },
    InstanceType: {
      type: "string",
      description: "The flavor of the server, by ID or name.",
      constraints: [{ custom: "nova.flavor" }],
    },
    InstanceId: {
      type: "string",
      description: "The ID of a server to copy the settings from, except for BlockDeviceMappings.",
      constraints: [{ custom: "nova.server" }],
    },
    KeyName: {
      type: "string",
      description: "The name of the key pair for logging in to the server.",
      constraints: [{ custom: "nova.keypair" }],
    },
    UserData: {
      type: "string",
      description: "The script or data that the server reads when it first starts.",
    },
    SecurityGroups: {
      type: "list",
      description: "The names of the security groups of the server.",
    },
    KernelId: {
      type: "string",
      description: "The kernel that the server starts with. Not supported.",
      unimplemented: true,
    },
    RamDiskId: {
      type: "string",
      description: "The RAM disk that the server starts with. Not supported.",
      unimplemented: true,
    },
    BlockDeviceMappings: blockDeviceMappings,
    NovaSchedulerHints: {
      type: "list",
      description: "Hints for the Nova scheduler, as keys and values.",
      items: {
        type: "map",
        schema: {
          Key: { type: "string", required: true },
          Value: { type: "string", required: true },
        },
      },
    },
  },
  attributes: {},
  validate: launchConfigurationProblem,
};

const TYPE = "AWS::AutoScaling::LaunchConfiguration";

/** AWS::AutoScaling::LaunchConfiguration describes the servers of a group. It makes no object. */
export const launchConfiguration: ResourceType = {
  type: TYPE,
  schema: {
    ...launchConfigurationSchema,
    // As in Heat, a change of the metadata replaces the configuration. The new id then reaches the
    // servers like a change of a property.
    readsMetadata: () => null,
    mustReplace: () => true,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: async (call, { ids }) => {
      const id = ids.derive(call.token);
      return { state: "finished", physicalResourceId: id, refId: physicalName(call, id) };
    },
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
};

interface Configuration {
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}

export const configurationNamed = async (
  engine: Ports,
  { tenant, stackId, templateId }: Pick<ProviderCall, "tenant" | "stackId" | "templateId">,
  name: string,
): Promise<Configuration> => {
  const stack = await engine.store.getStack(tenant, stackId);
  const lastGood = stack?.lastGood ?? null;
  const rows = await standingRows(engine, { tenant, id: stackId, templateId, lastGood });
  for (const row of rows.values()) {
    // An environment may map the type to another name, for example to that of a stub.
    const type = await engine.resourceTypes.get(row.type);
    if (type?.type !== TYPE || row.properties === null) continue;
    if ((await openReference(engine, row)).refId !== name) continue;
    const stored = await openProperties(engine, row, row.properties);
    const properties = mapOf(Object.entries(stored).filter(([, value]) => value !== null));
    const loaded = await loadTemplate(engine, tenant, stackId, templateId);
    const metadata = stack === null ? {} : await resolveMetadata(engine, stack, loaded, row.name);
    return { properties, metadata };
  }
  throw new RequestError(
    "ValueError",
    400,
    `LaunchConfigurationName (${name}) reference can not be found.`,
  );
};
