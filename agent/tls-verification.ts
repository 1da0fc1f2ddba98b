/**
 * Node has a variable that stops the verification of certificates in every request. Neither the
 * agent nor the command line runs with it.
 */
const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";

/** The sentence to show if certificates would not be verified; else null. */
export const unverifiedTls = (environment: Readonly<NodeJS.ProcessEnv>): string | null =>
  environment[VARIABLE] === "0"
    ? `${VARIABLE}=0 would turn off the verification of certificates: unset it.`
    : null;
