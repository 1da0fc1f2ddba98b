/** URLs that lead to no other machine than the one that uses them. */

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/;

export const REACHABLE_ADVICE =
  "Start the host with --listen and --public-url (a certificate and tokens are needed)";

export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);
