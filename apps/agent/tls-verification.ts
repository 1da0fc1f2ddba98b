/**
 * Node's variable that turns off certificate verification for every request. Neither the agent nor
 * the command line runs with it.
 */
const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";

export const unverifiedTls = (environment: Readonly<NodeJS.ProcessEnv>): string | null =>
  environment[VARIABLE] === "0"
    ? `${VARIABLE}=0 would turn off the verification of certificates: unset it.`
    : null;
