/** Which options of `hearth serve` go together, and what they require. */
import { describe, expect, it } from "vitest";
import { isLoopback, isLoopbackUrl, parseListen, parseNetworks } from "#host/address.ts";
import { checkReach, demandsTokens, type ReachOptions } from "#host/reach.ts";
import { leadsToOwnMachine } from "../../../apps/cli/session.ts";

const TLS = { certFile: "cert", keyFile: "key" };
const FAR = "192.0.2.7";

describe("a host", () => {
  it("demands tokens as soon as another machine could reach it", () => {
    const demanding: readonly ReachOptions[] = [
      { address: FAR },
      { address: "0.0.0.0" },
      { address: "::" },
      { auth: "tokens" },
      { trustProxy: ["127.0.0.1"] },
      { publicUrl: "https://hearth.example" },
    ];
    expect(demanding.filter((options) => !demandsTokens(options))).toEqual([]);
    const free: readonly ReachOptions[] = [
      {},
      { auth: "none" },
      { address: "127.0.0.2" },
      { address: "::1" },
      { publicUrl: "http://localhost:9000" },
      { agentsListen: { address: FAR, port: 8005 }, tls: TLS },
    ];
    expect(free.filter(demandsTokens)).toEqual([]);
  });

  it.each<[string, ReachOptions]>([
    ["--listen 192.0.2.7 would carry secrets in clear text", { address: FAR }],
    ["in clear text", { address: FAR, trustProxy: ["127.0.0.1", "::1"] }],
    ["--agents-listen 192.0.2.7 would", { agentsListen: { address: FAR, port: 1 } }],
    ["--public-url http://hearth.example would", { publicUrl: "http://hearth.example" }],
    ["--listen 0.0.0.0 needs --public-url", { address: "0.0.0.0", tls: TLS }],
    ["--listen :: needs --public-url", { address: "::", tls: TLS }],
    ["needs --agents-url", { agentsListen: { address: "0.0.0.0", port: 1 }, tls: TLS }],
    ["--agents-url needs --agents-listen", { agentsUrl: "https://hearth.example" }],
    ["--auth none is only for", { address: FAR, tls: TLS, auth: "none" }],
    ["--auth none is only for", { publicUrl: "https://hearth.example", auth: "none" }],
    ["--trust-proxy nobody:", { trustProxy: ["nobody"] }],
  ])("is refused with what is wrong: %s", (text, options) => {
    expect(() => checkReach(options)).toThrow(text);
  });

  it.each<[string, ReachOptions]>([
    ["on loopback", {}],
    ["with a certificate", { address: FAR, tls: TLS }],
    ["behind a named proxy", { address: FAR, trustProxy: ["192.0.2.1"] }],
    [
      "behind a proxy on this machine",
      { trustProxy: ["127.0.0.1"], publicUrl: "https://h.example" },
    ],
    ["in clear text where its operator says so", { address: FAR, plainHttp: true }],
    ["on all addresses", { address: "::", tls: TLS, publicUrl: "https://h.example" }],
  ])("may be %s", (_title, options) => {
    expect(() => checkReach(options)).not.toThrow();
  });
});

describe("an address to listen on", () => {
  it("has a port or none, and is never a name", () => {
    expect(parseListen("0.0.0.0")).toEqual({ address: "0.0.0.0", port: null });
    expect(parseListen("10.0.0.5:8443")).toEqual({ address: "10.0.0.5", port: 8443 });
    expect(parseListen("localhost:0")).toEqual({ address: "127.0.0.1", port: 0 });
    expect(parseListen("::1")).toEqual({ address: "::1", port: null });
    expect(parseListen("[::]:8443")).toEqual({ address: "::", port: 8443 });
    for (const wrong of ["", "hearth.example", "10.0.0.5:", "10.0.0.5:70000", "[10.0.0.5]:1", ":1"])
      expect([wrong, parseListen(wrong)]).toEqual([wrong, null]);
  });

  it("is loopback in all its spellings, and nothing else is", () => {
    for (const own of ["127.0.0.1", "127.9.9.9", "::1"]) expect(isLoopback(own)).toBe(true);
    for (const far of ["0.0.0.0", "::", FAR, "localhost"]) expect(isLoopback(far)).toBe(false);
  });

  it("is loopback in a URL too, and the commands see no other machine behind all of them", () => {
    const own = [
      "http://localhost:1",
      "http://127.9.9.9",
      "https://[::1]:8004",
      "http://[::ffff:127.0.0.1]",
    ];
    const all = ["http://0.0.0.0:8004", "https://[::]"];
    const far = ["https://192.0.2.7", "https://localhost.example", "https://[2001:db8::1]"];
    const urls = [...own, ...all, ...far];
    expect(urls.filter(isLoopbackUrl)).toEqual(own);
    expect(urls.filter(leadsToOwnMachine)).toEqual([...own, ...all]);
  });

  it("may be one of a network's", () => {
    expect(parseNetworks(["10.0.0.0/8", "fd00::/8"])?.check("10.1.2.3")).toBe(true);
    for (const wrong of ["10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "x", "10.0.0.0/8/8", "::/129"])
      expect([wrong, parseNetworks([wrong])]).toEqual([wrong, null]);
  });
});
