/** Variables that make Node, Python and curl trust an API with a private certificate authority. */
export const certificates = (): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (file === undefined) return {};
  return { NODE_EXTRA_CA_CERTS: file, REQUESTS_CA_BUNDLE: file, CURL_CA_BUNDLE: file };
};
