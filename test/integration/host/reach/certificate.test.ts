/** The certificate of a running host, before and after its renewal. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import { logger } from "#functions/logger.ts";
import { createToken } from "#host/api-tokens.ts";
import { startHost } from "#host/host.ts";
import { readTlsFiles } from "#host/tls-files.ts";
import { hearth } from "../../cli/hearth-process.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { connectTo, endWorld, newFolder, openWorld, putCertificate } from "./reach-world.ts";

const processes: ServeProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop("SIGKILL")));
  await endWorld();
});

const isTls = (socket: object): socket is TLSSocket => "getPeerCertificate" in socket;

/** The common name in the certificate that the host shows. The client verifies it. */
const shownBy = async (url: string): Promise<unknown> => {
  const socket = await connectTo(url);
  const name = isTls(socket) ? socket.getPeerCertificate().subject.CN : "no TLS";
  socket.destroy();
  return name;
};

describe("the key of a certificate", () => {
  it("gives a line in the log while every user can read it, and none else", () => {
    const files = putCertificate(newFolder(), "first");
    const warned = vi.spyOn(logger, "info").mockImplementation(() => undefined);
    try {
      for (const mode of [0o644, 0o640, 0o600]) {
        chmodSync(files.keyFile, mode);
        readTlsFiles(files);
      }
      expect(warned.mock.calls).toEqual([
        [expect.stringContaining("can read the key"), { keyFile: files.keyFile }],
      ]);
    } finally {
      warned.mockRestore();
    }
  });
});

describe("a renewed certificate", () => {
  it("is used without a restart, and an unusable one leaves the former in use", async () => {
    const { folder, host } = await openWorld();
    expect(await shownBy(host.url)).toBe("first");
    const { keyFile } = putCertificate(folder, "second");
    host.reloadCertificate();
    expect(await shownBy(host.url)).toBe("second");
    putCertificate(folder, "first");
    writeFileSync(keyFile, "half a key");
    host.reloadCertificate();
    expect(await shownBy(host.url)).toBe("second");
  });

  it("is read on SIGHUP by both listeners", async () => {
    const folder = newFolder();
    createToken(folder, "demo", null);
    const { certFile, keyFile } = putCertificate(folder, "first");
    const files = ["--tls-cert", certFile, "--tls-key", keyFile];
    const agents = ["--agents-listen", "127.0.0.1:0"];
    const served = await startServe("--data", folder, "--auth", "tokens", ...files, ...agents);
    processes.push(served);
    expect(await shownBy(served.url)).toBe("first");
    putCertificate(folder, "second");
    served.signal("SIGHUP");
    await expect.poll(() => shownBy(served.url)).toBe("second");
    expect(await shownBy(await served.agentsUrl())).toBe("second");
    expect(await served.stop("SIGTERM")).toBe(0);
  });
});

describe("files that hold no certificate", () => {
  it("end the start with a sentence that names the file", async () => {
    const folder = newFolder();
    const { certFile, keyFile } = putCertificate(folder, "first");
    const start = (tls: { readonly certFile: string; readonly keyFile: string }) =>
      startHost({ port: 0, data: folder, tls });
    await expect(start({ certFile: `${certFile}.x`, keyFile })).rejects.toThrow(
      `--tls-cert ${certFile}.x cannot be read: there is no such file.`,
    );
    await expect(start({ certFile: folder, keyFile })).rejects.toThrow(
      `--tls-cert ${folder} cannot be read: it is a folder.`,
    );
    await expect(start({ certFile, keyFile: `${certFile}/key` })).rejects.toThrow(
      `--tls-key ${certFile}/key cannot be read: there is no such file.`,
    );
    await expect(start({ certFile: keyFile, keyFile })).rejects.toThrow(
      `--tls-cert ${keyFile} is no certificate in PEM format.`,
    );
    await expect(start({ certFile, keyFile: certFile })).rejects.toThrow(
      `--tls-key ${certFile} is no key in PEM format that fits ${certFile}.`,
    );
  });

  it("are wrong usage of the command, as other wrong options are", async () => {
    const folder = newFolder();
    const { certFile, keyFile } = putCertificate(folder, "first");
    const said = async (cert: string, key: string) => {
      const files = ["--tls-cert", cert, "--tls-key", key];
      const place = ["--data", join(folder, "data"), "--port", "0"];
      const { code, stdout, stderr } = await hearth("", "serve", ...place, ...files);
      return [code, stdout, stderr];
    };
    const missing = `ERROR: --tls-cert ${folder}/none cannot be read: there is no such file.\n`;
    expect(await said(join(folder, "none"), keyFile)).toEqual([2, "", missing]);
    const noKey = `ERROR: --tls-key ${certFile} is no key in PEM format that fits ${certFile}.\n`;
    expect(await said(certFile, certFile)).toEqual([2, "", noKey]);
  });
});
