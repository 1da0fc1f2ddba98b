import { signalResource } from "#lib/convergence/signal-resource.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { drainedFirst } from "./drain-server.ts";
import {
  adoptServer,
  collectConfigNow,
  forgetServer,
  recordServer,
  refuseDeployments,
  serverAttributes,
} from "./server-record.ts";

const swiftName = (description: string): PropertySchema => ({
  type: "string",
  description,
  constraints: [{ length: { min: 1 } }],
});

const properties: PropertySchemas = {
  name: { type: "string", description: "The name of the server.", updateAllowed: true },
  metadata: {
    type: "map",
    description: "Keys and values for the document that its agent polls.",
    updateAllowed: true,
  },
  software_config_transport: {
    type: "string",
    description:
      "How the server gets its deployments. With every value it polls a signed URL, as with POLL_TEMP_URL.",
    default: "POLL_SERVER_CFN",
    constraints: [
      { allowedValues: ["POLL_SERVER_CFN", "POLL_SERVER_HEAT", "POLL_TEMP_URL", "ZAQAR_MESSAGE"] },
    ],
    updateAllowed: true,
  },
  deployment_swift_data: {
    type: "map",
    description: "Accepted for Heat's templates. Hearth serves the document itself.",
    default: {},
    updateAllowed: true,
    schema: {
      container: swiftName("The container of the document."),
      object: swiftName("The object of the document."),
    },
  },
};

const TRANSPORT = "software_config_transport";
const SIGNED_URL = "POLL_TEMP_URL";

/**
 * Hearth uses one signed URL for every transport. The event warns only if the template asks for
 * another transport.
 */
const warnOfTransport = async (
  engine: Ports,
  call: ProviderCall,
  { template }: LoadedTemplate,
): Promise<void> => {
  const { [TRANSPORT]: asked = SIGNED_URL } = call.properties;
  const isNamed = Object.hasOwn(
    template.resources.get(call.resourceName)?.properties ?? {},
    TRANSPORT,
  );
  const isOld = call.previousProperties?.[TRANSPORT] === asked;
  if (asked === SIGNED_URL || !isNamed || isOld) return;
  const reason = `Warning: ${asked} is delivered as a signed URL, as with ${SIGNED_URL}`;
  await signalResource(engine, call, { reason, final: false });
};

const publish = async (engine: Ports, call: ProviderCall, id: string): Promise<Progress> => {
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const server = await recordServer(engine, call, loaded, id);
  await warnOfTransport(engine, call, loaded);
  return {
    state: "finished",
    physicalResourceId: id,
    attributes: serverAttributes(engine, call, server),
  };
};

export const deployedServer = (engine: Ports): ResourceType => ({
  type: "OS::Heat::DeployedServer",
  schema: {
    description: "An existing server whose agent polls for software to deploy.",
    properties,
    attributes: {
      name: { description: "The name of the server.", type: "string" },
      os_collect_config: {
        description: "The configuration that the server's agent needs to poll.",
        type: "map",
      },
    },
    validate: (given, _name, { checksValues }) =>
      checksValues ? refuseDeployments(sectionOf(given, "metadata")) : null,
    readsMetadata: refuseDeployments,
    currentAttribute: collectConfigNow(engine),
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: (call, { ids }) => publish(engine, call, ids.derive(call.token)),
    handleUpdate: (call, { ids }) =>
      publish(engine, call, call.physicalResourceId ?? ids.derive(call.token)),
    ...drainedFirst(engine, forgetServer(engine)),
  },
  adoption: { handleAdopt: adoptServer(engine, publish) },
});
