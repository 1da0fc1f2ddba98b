/**
 * Says which lane plays the commands of the pages that show commands without their output. Each
 * line of their blocks belongs to exactly one entry, or is run by command-pages.test.ts.
 */

export interface PlayedElsewhere {
  readonly command: string;
  readonly lane: string;
}

const CLIENTS = "npm run lane -- clients";
const CLOUD = "npm run lane -- cloud";
const TIMER = "test/integration/host/kept-backups.test.ts";
const METRICS = "test/integration/host/metrics.test.ts";
const REACH = "npm run lane -- reach";

export const COMMAND_PAGES: Readonly<Record<string, readonly PlayedElsewhere[]>> = {
  "bring-your-templates": [],
  cli: [{ command: "openstack --os-auth-type none", lane: CLIENTS }],
  "data-folder": [],
  deployments: [],
  host: [
    { command: "hearth token create --project web", lane: REACH },
    { command: "hearth serve --data", lane: REACH },
    { command: "export HEARTH_ENDPOINT", lane: REACH },
    { command: "hearth stack list", lane: REACH },
    { command: "curl -H", lane: REACH },
    { command: "curl -u web:", lane: REACH },
    { command: "export OS_AUTH_URL", lane: CLIENTS },
    { command: "export OS_PROJECT_NAME", lane: CLIENTS },
    { command: "openstack stack list", lane: CLIENTS },
    { command: "hearth serve --agents-listen", lane: REACH },
    { command: "hearth serve --metrics-listen", lane: METRICS },
    { command: "curl http://127.0.0.1:8006/metrics", lane: METRICS },
  ],
  operations: [
    { command: "npm ci", lane: "every lane" },
    { command: "npx cdk bootstrap", lane: CLOUD },
    { command: "npx cdk deploy", lane: CLOUD },
    { command: "npx cdk destroy", lane: CLOUD },
    { command: "npm run --silent api-token", lane: CLOUD },
    { command: "npm run restore", lane: CLOUD },
    { command: "npm run --silent restore -- copies", lane: "test/contract/restore-copies.test.ts" },
    { command: "export HEARTH_ENDPOINT", lane: CLOUD },
    { command: "npx hearth", lane: CLOUD },
    { command: "curl -H", lane: CLOUD },
    { command: "curl -u demo:", lane: CLOUD },
    { command: "curl --aws-sigv4", lane: CLOUD },
    { command: "openstack --os-auth-type", lane: CLIENTS },
    { command: "aws ", lane: CLOUD },
  ],
  performance: [],
  service: [
    { command: "npm run build", lane: "npm run lane -- package" },
    { command: "export HEARTH_PUBLIC_URL", lane: "npm run lane -- image" },
    { command: "docker compose", lane: "npm run lane -- image" },
    { command: "install --directory", lane: TIMER },
    { command: "systemctl enable --now hearth-backup.timer", lane: TIMER },
  ],
  versions: [],
};

export const EXAMPLE_PAGES: Readonly<Record<string, readonly PlayedElsewhere[]>> = {
  "own-server": [
    { command: "export HEARTH_TOKEN", lane: REACH },
    { command: "hearth serve --listen", lane: REACH },
    { command: "export HEARTH_ENDPOINT", lane: REACH },
    { command: "hearth ", lane: REACH },
  ],
  provider: [{ command: "hearth serve --plugin", lane: "npm run lane -- plug-ins" }],
  "rolling-group": [],
  "stock-agents": [
    { command: "hearth stack create app", lane: "npm run lane -- agents" },
    { command: "hearth --ca-file", lane: REACH },
  ],
  "two-tier": [{ command: "npm run demo", lane: CLOUD }],
  "wait-condition": [],
};

/** These pages have tests of their own, which play each of their blocks. */
export const PLAYED_PAGES: readonly string[] = [
  "moving",
  "run-on-aws",
  "run-on-aws-types",
  "run-on-docker",
  "run-on-machines",
  "run-on-openstack",
  "start",
  "templates",
  "tutorial",
  "write-a-provider",
];
