export const certificates = (): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (file === undefined) return {};
  return { NODE_EXTRA_CA_CERTS: file, REQUESTS_CA_BUNDLE: file, CURL_CA_BUNDLE: file };
};
