'use strict';

// Loaded by the page at /docs, beside the library. Addresses are relative to the page, which may stand behind a prefix.
const show = (spec) => {
  // Requests are tried out where the page comes from: another name of the same registry would be another origin to the browser.
  spec.servers = [{ url: new URL('.', document.location.href).href.replace(/\/$/, ''), description: 'This registry.' }];
  // HEAD answers as GET does, which the introduction says; its lines would only come between the others.
  for (const methods of Object.values(spec.paths)) {
    delete methods.head;
    // The library would send examples with a request that is tried out: everybody's Idempotency-Key, and a payment that is none.
    for (const { parameters } of Object.values(methods))
      for (const parameter of parameters) if (parameter.in === 'header') delete parameter.example;
  }
  // The library warns of every dialect but its own, which has all the words of this one.
  delete spec.jsonSchemaDialect;
  window.SwaggerUIBundle({
    dom_id: '#docs',
    spec,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: true,
    // Each of these would ask another server, or take its settings from the address.
    validatorUrl: null,
    queryConfigEnabled: false,
    withCredentials: false,
    persistAuthorization: false,
  });
};

const tell = (error) => {
  document.getElementById('docs').textContent = `The description could not be loaded: ${error.message}`;
};

fetch('openapi.json')
  .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`))))
  .then(show)
  .catch(tell);
