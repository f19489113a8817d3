// A key is typed as it was shown; the scheme's name goes before it. A name that the server does not know is an error.
const prepared = (request) => {
  request.headers.Prefer = "handling=strict";
  const key = request.headers.Authorization;
  if (key && !/^ApiKey /i.test(key)) {
    request.headers.Authorization = `ApiKey ${key}`;
  }
  return request;
};

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  showExtensions: true,
  requestInterceptor: prepared,
  // The check of a third party, which this page does not ask.
  validatorUrl: null,
});
