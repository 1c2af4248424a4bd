// Shows the document of this site; requests that are tried go to the host that the page came from.
(async () => {
  const document_ = await (await fetch(new URL("api/openapi.json", location.href))).json();
  document_.servers = [{ url: new URL("api", location.href).href }];
  SwaggerUIBundle({
    spec: document_,
    dom_id: "#docs",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    filter: true,
  });
})();
