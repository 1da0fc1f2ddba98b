/** Like OpenStack's agents, each request opens its own TLS connection. */
import { request } from "node:https";
import type { Exchange } from "../servers/fleet.ts";

export const newConnections: Exchange = (url, result) =>
  new Promise((resolve, reject) => {
    const method = result === undefined ? "GET" : "PUT";
    const headers = { "Content-Type": "application/json" };
    const sent = request(url, { agent: false, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on("error", reject);
    sent.end(result);
  });
