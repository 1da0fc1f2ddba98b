/** Polls report this version. A test compares it with the package's. */
export const AGENT_VERSION = "0.2.0";
