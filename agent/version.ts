/** The agent's version, which its polls carry. A test holds it to the package's. */
export const AGENT_VERSION = "0.2.0";
