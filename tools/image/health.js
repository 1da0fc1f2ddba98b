// Checks whether the host in this container is ready for requests; the image's HEALTHCHECK.
// HEARTH_PUBLIC_URL is the host's --public-url, and HEARTH_TLS_CERT is the file of --tls-cert.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";

const PORT = 8004;
const WAIT_MS_MAX = 4_000;
const HTTP_OK = 200;

const publicUrl = new URL(process.env.HEARTH_PUBLIC_URL || `http://127.0.0.1:${PORT}`);
const certificate = process.env.HEARTH_TLS_CERT;

// The URL does not decide: behind a proxy it is https, although the host itself speaks HTTP.
const tls = certificate
  ? // Only the host's own certificate is trusted, whoever signed it.
    { ca: readFileSync(certificate), allowPartialTrustChain: true, servername: publicUrl.hostname }
  : {};
const options = {
  ...tls,
  host: "127.0.0.1",
  port: PORT,
  path: "/_ready",
  headers: { host: publicUrl.host },
  timeout: WAIT_MS_MAX,
};

const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};

const request = (certificate ? https : http).get(options, (response) => {
  if (response.statusCode !== HTTP_OK) fail(`/_ready answers ${response.statusCode}`);
  response.resume();
});
request.on("timeout", () => fail("/_ready does not answer"));
request.on("error", (error) => fail(error.message));
