export interface Authentication {
  readonly name: "none" | "admin_token" | "http_basic" | "password";
  readonly needsToken: boolean;
  /** True if the host must serve what clients need of Keystone. Hearth on AWS does not. */
  readonly needsKeystone: boolean;
  readonly go: "none" | "token" | "password" | null;
  readonly env: (url: string, token: string) => Readonly<Record<string, string>>;
}

const PROJECT = "demo";
const endpointOf = (url: string): string => `${url}/v1/${PROJECT}`;

export const AUTHENTICATIONS: readonly Authentication[] = [
  {
    name: "none",
    needsToken: false,
    needsKeystone: false,
    go: "none",
    env: (url) => ({ OS_AUTH_TYPE: "none", OS_ENDPOINT: endpointOf(url) }),
  },
  {
    name: "admin_token",
    needsToken: true,
    needsKeystone: false,
    go: "token",
    env: (url, token) => ({
      OS_AUTH_TYPE: "admin_token",
      OS_ENDPOINT: endpointOf(url),
      OS_TOKEN: token,
    }),
  },
  {
    name: "http_basic",
    needsToken: true,
    needsKeystone: false,
    go: null,
    env: (url, token) => ({
      OS_AUTH_TYPE: "http_basic",
      OS_ENDPOINT: endpointOf(url),
      OS_USERNAME: PROJECT,
      OS_PASSWORD: token,
    }),
  },
  {
    name: "password",
    needsToken: true,
    needsKeystone: true,
    go: "password",
    env: (url, token) => ({
      OS_AUTH_TYPE: "password",
      OS_AUTH_URL: `${url}/v3`,
      OS_USERNAME: "ada",
      OS_PASSWORD: token,
      OS_PROJECT_NAME: PROJECT,
      OS_USER_DOMAIN_NAME: "Default",
      OS_PROJECT_DOMAIN_NAME: "Default",
      OS_REGION_NAME: "RegionOne",
    }),
  },
];
