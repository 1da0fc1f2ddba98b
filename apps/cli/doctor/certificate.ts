import { isIP } from "node:net";
import { connect } from "node:tls";
import { certificateWarning } from "#host/certificate-end.ts";
import { answersOf, type Finding } from "./finding.ts";

/** @returns milliseconds since 1970; null when there is no certificate or no connection. */
export const certificateEndAt = (
  endpoint: string,
  authority: string | undefined,
  answerMsMax: number,
): Promise<number | null> => {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== "https:") return Promise.resolve(null);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(authority === undefined ? {} : { ca: authority }),
      timeout: answerMsMax,
    });
    const end = (at: number | null): void => {
      socket.destroy();
      resolve(at);
    };
    socket.once("secureConnect", () => {
      const at = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(at) ? null : at);
    });
    socket.once("error", () => end(null));
    socket.once("timeout", () => end(null));
  });
};

export const judgeCertificate = (end: number, now: number): Finding => {
  const { ok, warning } = answersOf("certificate");
  const found = certificateWarning(end, now);
  if (found === null) return ok(`it is valid until ${new Date(end).toISOString()}`);
  return warning(found.found, found.advice);
};
