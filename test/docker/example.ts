/**
 * Servers with a key and no network, as in templates for a cloud. With a checkout of
 * heat-templates, one of its examples goes through its whole life.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../contract/spoilt-operations.ts";
import { addProgram } from "../integration/documents/page-shell.ts";
import { startServe } from "../integration/host/serve-process.ts";
import { type CommandStep, playSteps } from "../lanes/command-steps.ts";
import { hasHeatTemplates, heatExample } from "../lanes/heat-templates.ts";
import { BRIDGE_ADDRESS, type EngineKind } from "./engines.ts";
import { IMAGE } from "./provider-play.ts";

const KEY = "example-key";
/** The example needs the network `private`, which only Docker has here. */
const NETWORKS: Readonly<Record<EngineKind, string>> = { docker: "private", podman: "usual" };
const EXAMPLE = "example-sw-component-template.yaml";
const METADATA = "169.254.169.254";
const MISSING_IMAGE = "hearth-test/nonesuch:1";

const templatesFor = (network: string) => ({
  "keys.json": {
    heat_template_version: "2018-08-31",
    resources: {
      key: { type: "OS::Nova::KeyPair", properties: { name: KEY, save_private_key: true } },
    },
    outputs: { private_key: { value: { get_attr: ["key", "private_key"] } } },
  },
  "keyed.json": {
    heat_template_version: "2018-08-31",
    resources: {
      server: {
        type: "OS::Nova::Server",
        properties: { name: "keyed", image: IMAGE, flavor: "1c-64m", key_name: KEY },
      },
    },
    outputs: { address: { value: { get_attr: ["server", "networks", network, 0] } } },
  },
});

const overSsh = (stack: string, output: string, command: string): string =>
  [
    "ssh -q -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null",
    "-o ConnectionAttempts=20",
    `root@$(hearth stack outputs ${stack} ${output}) ${command}`,
  ].join(" ");

/** The host does not start unless both exist. */
const stepsBefore = (network: string): readonly CommandStep[] => [
  { command: `docker network create ${network} > log`, wanted: /^0/ },
  { command: `ip address add ${METADATA}/32 dev lo`, wanted: /^0/ },
];

const KEYED: readonly CommandStep[] = [
  { command: "hearth stack create -t keys.json keys > log", wanted: /^0/ },
  { command: "umask 077; hearth stack outputs keys private_key > key", wanted: /^0/ },
  { command: "hearth stack create -t keyed.json keyed > log", wanted: /^0/ },
  { command: overSsh("keyed", "address", "hostname"), wanted: /^0\nkeyed$/ },
  {
    command: overSsh("keyed", "address", `wget -qO- http://${METADATA}/latest/meta-data/hostname`),
    wanted: /^0\nkeyed$/,
  },
  { command: "hearth stack delete --yes keyed > log", wanted: /^0/ },
];

const exampleSteps = (template: string): readonly CommandStep[] => {
  const with_ = (image: string, flavor: string): string =>
    `-t ${template} --parameter key_name=${KEY} --parameter image=${image} --parameter flavor=${flavor}`;
  const small = with_(IMAGE, "1c-256m");
  const lastAction = "hearth stack outputs example sw_component_last_action";
  return [
    { command: `hearth stack create ${small} example > log`, wanted: /^0/ },
    { command: lastAction, wanted: /^0\nCREATE$/ },
    {
      command: overSsh("example", "server_ip", "cat /tmp/sw-component-actions"),
      wanted: /^0\nCREATE invoked at [^\n]*$/,
    },
    { command: `hearth stack create --no-wait ${small} early > log`, wanted: /^0/ },
    // The creation goes on, and the update does not wait for it.
    { command: "hearth stack show early", wanted: /CREATE_IN_PROGRESS/ },
    { command: `hearth stack update ${with_(IMAGE, "1c-512m")} early > log`, wanted: /^0/ },
    { command: "hearth stack show early", wanted: /UPDATE_COMPLETE/ },
    { command: "hearth stack outputs early sw_component_last_action", wanted: /^0\nCREATE$/ },
    { command: "hearth stack suspend example > log", wanted: /^0/ },
    { command: lastAction, wanted: /^0\nSUSPEND$/ },
    { command: "hearth stack resume example > log", wanted: /^0/ },
    { command: lastAction, wanted: /^0\nRESUME$/ },
    {
      command: `hearth stack update --enable-rollback ${with_(MISSING_IMAGE, "1c-256m")} example > log`,
      wanted: /^1/,
    },
    { command: "hearth stack show example", wanted: /ROLLBACK_COMPLETE/ },
    { command: lastAction, wanted: /^0\n[A-Z]+$/ },
    { command: "hearth stack delete --yes early > log", wanted: /^0/ },
    { command: "hearth stack delete --yes example > log", wanted: /^0/ },
  ];
};

const stepsAfter = (network: string): readonly CommandStep[] => [
  { command: "hearth stack delete --yes keys > log", wanted: /^0/ },
  { command: "docker ps -aq --filter label=hearth.stack_name", wanted: /^0\n$/ },
  { command: `docker network rm ${network} > log`, wanted: /^0/ },
];

export async function* playTemplates(
  kind: EngineKind,
  socketPath: string,
  folder: string,
): AsyncGenerator<Result, void, undefined> {
  addProgram(folder);
  const network = NETWORKS[kind];
  for (const [name, template] of Object.entries(templatesFor(network))) {
    writeFileSync(join(folder, name), JSON.stringify(template));
  }
  const docker = `unix://${socketPath}`;
  const example = kind === "docker" && hasHeatTemplates() ? exampleSteps(heatExample(EXAMPLE)) : [];
  const agents = ["--agents-listen", `${BRIDGE_ADDRESS}:8005`, "--plain-http"];
  const servers = ["--docker", docker, "--docker-network", network, "--docker-metadata"];
  const environment = { DOCKER_HOST: docker, HOME: folder };
  yield* playSteps({ folder, environment }, stepsBefore(network));
  const host = await startServe("--memory", ...servers, ...agents);
  try {
    const withHost = { ...environment, HEARTH_ENDPOINT: host.url };
    const steps = [...KEYED, ...example, ...stepsAfter(network)];
    yield* playSteps({ folder, environment: withHost }, steps);
  } finally {
    await host.stop("SIGTERM");
  }
}
