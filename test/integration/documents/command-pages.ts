/**
 * Who plays the commands of the pages that show commands without their output. Each line of their
 * blocks belongs to exactly one entry, or is run by command-pages.test.ts.
 */

export interface PlayedElsewhere {
  /** How the command begins. */
  readonly command: string;
  /** The lane that runs the same, with names of its own. */
  readonly lane: string;
}

export interface NotPlayed {
  readonly command: string;
  readonly because: string;
}

export interface CommandPage {
  readonly elsewhere: readonly PlayedElsewhere[];
  readonly not: readonly NotPlayed[];
}

const CLIENTS = "npm run test:clients";
const CLOUD = "npm run test:cloud";
const REACH = "npm run test:reach";
const NO_CLOUD = "no lane has the command line of AWS";

export const COMMAND_PAGES: Readonly<Record<string, CommandPage>> = {
  "bring-your-templates": { elsewhere: [], not: [] },
  cli: {
    elsewhere: [{ command: "openstack --os-auth-type none", lane: CLIENTS }],
    not: [],
  },
  "data-folder": { elsewhere: [], not: [] },
  deployments: { elsewhere: [], not: [] },
  host: {
    elsewhere: [
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
    ],
    not: [],
  },
  operations: {
    elsewhere: [
      { command: "npm ci", lane: "every lane" },
      { command: "npx cdk bootstrap", lane: CLOUD },
      { command: "npx cdk deploy", lane: CLOUD },
      { command: "npx cdk destroy", lane: CLOUD },
      { command: "npm run --silent api-token", lane: CLOUD },
      { command: "npm run restore", lane: CLOUD },
      { command: "export HEARTH_ENDPOINT", lane: CLOUD },
      { command: "npx hearth", lane: CLOUD },
      { command: "curl -H", lane: CLOUD },
      { command: "curl -u demo:", lane: CLOUD },
      { command: "curl --aws-sigv4", lane: CLOUD },
      { command: "openstack --os-auth-type", lane: CLIENTS },
    ],
    not: [
      { command: "aws secretsmanager", because: NO_CLOUD },
      { command: "aws sqs", because: NO_CLOUD },
      { command: "aws cloudformation", because: NO_CLOUD },
      { command: "aws s3api", because: NO_CLOUD },
      { command: '{"Hearth-prod"', because: "it is a file, and no command" },
    ],
  },
  performance: {
    elsewhere: [],
    not: [
      { command: "npm run bench", because: "a benchmark takes minutes, and wants a quiet machine" },
      { command: "TERRAFORM=", because: "a benchmark takes minutes, and wants a quiet machine" },
    ],
  },
  service: {
    elsewhere: [
      { command: "npm run build", lane: "npm run test:package" },
      { command: "export HEARTH_PUBLIC_URL", lane: "npm run test:image" },
      { command: "docker compose", lane: "npm run test:image" },
    ],
    not: [],
  },
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
