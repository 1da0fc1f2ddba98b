export interface FetchFailure {
  readonly found: string;
  readonly advice: string;
}

interface Kind {
  readonly codes: RegExp;
  explain(host: string, code: string, protocol: string): FetchFailure;
}

const KINDS: readonly Kind[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/,
    explain: (host, code) => ({
      found: `DNS knows no address of ${host} (${code})`,
      advice: "Check how the name is spelled, and this machine's DNS",
    }),
  },
  {
    codes: /^ECONNREFUSED$/,
    explain: (host) => ({
      found: `the connection to ${host} was refused: nothing listens there`,
      advice:
        'Check the port, and whether Hearth runs there ("hearth serve" on a machine of yours)',
    }),
  },
  {
    codes: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    explain: (host, code) => ({
      found: `no connection to ${host} can be made (${code})`,
      advice: "Look for a firewall, a security group or a missing VPN between here and there",
    }),
  },
  {
    codes: /^(TimeoutError|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/,
    explain: (host) => ({
      found: `${host} did not refuse the connection, but gave no answer in time`,
      advice: "Look at the log of the api function, or of the proxy in front of it",
    }),
  },
  {
    codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    explain: (host, code) => ({
      found: `TLS: the certificate of ${host} is not valid at this time (${code})`,
      advice: "Renew the certificate; if it is good, set this machine's clock",
    }),
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    explain: (host) => ({
      found: `TLS: the certificate is not for the name ${host}`,
      advice: "Use a name that stands in the certificate, or get one for this name",
    }),
  },
  {
    codes: /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_|^ERR_TLS_CERT/,
    explain: (host, code) => ({
      found: `TLS: this machine does not trust the certificate of ${host} (${code})`,
      advice:
        "Give the certificate of its authority with --ca-file or in HEARTH_CA_FILE, or use one of a public authority",
    }),
  },
  {
    codes: /^(EPROTO|ERR_SSL_)/,
    explain: (host, code) => ({
      found: `TLS: ${host} does not speak it as it should (${code})`,
      advice:
        "Try http:// in place of https://: an embedded host without a certificate speaks that",
    }),
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    explain: (host, code, protocol) => ({
      found: `${host} closed the connection without an answer (${code})`,
      advice:
        protocol === "http:"
          ? "Try https:// in place of http://, and look for a proxy in between"
          : "Look for a proxy in between, and at what listens there",
    }),
  },
  {
    codes: /^bad port$/,
    explain: (host) => ({
      found: `no client speaks HTTP to the port of ${host}: it belongs to another service`,
      advice: "Check the port",
    }),
  },
  {
    codes: /^(HPE_|HTTPParserError$)/,
    explain: (host, code) => ({
      found: `what listens at ${host} does not speak HTTP (${code})`,
      advice: "Check the port",
    }),
  },
];

const BAD_PORT = "bad port";

/** Returns a code such as ECONNREFUSED. Messages are left out, because they can contain URLs. */
export const failureCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error.cause instanceof Error) return failureCode(error.cause);
  return error.message === BAD_PORT ? BAD_PORT : error.name;
};

export const explainUnanswered = (url: string, code: string): FetchFailure => {
  const { host, protocol } = new URL(url);
  const kind = KINDS.find(({ codes }) => codes.test(code));
  if (kind) return kind.explain(host, code, protocol);
  return { found: `the request to ${host} failed (${code})`, advice: "Check the address" };
};
