/** Documents as the tools save them; scripts and collections are in collections.ts. */

export const ARTILLERY = `
config:
  target: "http://127.0.0.1:8080"
  pool: 50
  http:
    timeout: 30
    defaults:
      headers:
        x-client: artillery
  tls:
    rejectUnauthorized: false
  phases:
    - { duration: 60, arrivalRate: 5, name: warm-up }
    - { duration: 2m, arrivalRate: 5, rampTo: 50, maxVusers: 200, name: ramp }
    - { pause: 10 }
    - { duration: 30, arrivalCount: 20 }
  payload:
    path: users.csv
    fields: [username, password]
    order: sequence
  variables:
    city: [Madrid, Paris]
  processor: ./functions.js
  plugins: { expect: {}, metrics-by-endpoint: {} }
  ensure: { p95: 500, maxErrorRate: 1 }
before:
  flow: [{ log: starting }]
scenarios:
  - name: shop
    weight: 3
    flow:
      - post:
          url: /login
          json: { username: "{{ username }}", password: "{{ password }}" }
          capture:
            - { json: $.token, as: token }
            - { json: $.items, as: items }
      - think: 2
      - loop:
          - get:
              url: /items/{{ $loopElement }}
              headers: { authorization: "Bearer {{ token }}" }
              expect: [{ statusCode: 200 }, { hasProperty: id }, { contentType: json }]
          - think: 1
        over: items
      - loop:
          - get: { url: "/search?q={{ city }}&n={{ $randomNumber(1, 9) }}", followRedirect: false }
        count: 3
      - function: doSomething
  - name: visit
    flow:
      - get: { url: "/", beforeRequest: sign }
      - get: { url: "/about/{{ unknownOne }}", ifTrue: x }
  - engine: socketio
    flow: [{ emit: { channel: x } }]
`;

/** A script of Artillery 1.x, in JSON. */
export const OLD_ARTILLERY = JSON.stringify({
  config: {
    target: 'https://example.org/api',
    phases: [{ duration: 10, arrivalRate: 1 }],
    mode: 'poisson',
    defaults: { headers: { 'X-Key': 'abc' } },
  },
  scenarios: [
    {
      flow: [
        { get: { url: '/a' } },
        { think: 1 },
        { post: { url: '/b', body: 'x=1', capture: { regexp: 'id=(\\d+)', as: 'id' } } },
        { put: { url: '/c/{{id}}', form: { a: 1 } } },
      ],
    },
  ],
});

export const POSTMAN = {
  info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  variable: [
    { key: 'baseUrl', value: 'http://127.0.0.1:8080/v1' },
    { key: 'size', value: '20' },
    { key: 'password', value: 'hush-hush' },
  ],
  item: [
    {
      name: 'Account',
      item: [
        {
          name: 'Log in',
          event: [
            {
              listen: 'test',
              script: {
                exec: [
                  'pm.test("ok", function () {',
                  '    pm.response.to.have.status(200);',
                  '});',
                  'var jsonData = pm.response.json();',
                  'pm.environment.set("token", jsonData.data.token);',
                  'doSomethingElse();',
                ],
              },
            },
            { listen: 'prerequest', script: { exec: ['pm.variables.set("x", 1);'] } },
          ],
          request: {
            auth: { type: 'noauth' },
            method: 'POST',
            header: [{ key: 'X-Off', value: '1', disabled: true }],
            body: { mode: 'raw', raw: '{"user": "ada", "password": "{{password}}"}', options: { raw: { language: 'json' } } },
            url: { raw: '{{baseUrl}}/login', host: ['{{baseUrl}}'], path: ['login'] },
          },
        },
      ],
    },
    {
      name: 'Items',
      request: {
        method: 'GET',
        header: [],
        url: {
          raw: '{{baseUrl}}/items/:id?size={{size}}',
          host: ['{{baseUrl}}'],
          path: ['items', ':id'],
          query: [{ key: 'size', value: '{{size}}' }],
          variable: [{ key: 'id', value: '7' }],
        },
      },
    },
    {
      name: 'Upload',
      request: {
        method: 'POST',
        auth: {
          type: 'apikey',
          apikey: [
            { key: 'key', value: 'X-Key' },
            { key: 'value', value: 'k3y' },
          ],
        },
        body: {
          mode: 'formdata',
          formdata: [
            { key: 'photo', type: 'file', src: '/home/me/photo.jpg' },
            { key: 'note', value: '{{$guid}}', type: 'text', contentType: 'text/markdown' },
          ],
        },
        url: '{{baseUrl}}/photos',
      },
    },
    {
      name: 'Form',
      request: {
        method: 'PUT',
        body: { mode: 'urlencoded', urlencoded: [{ key: 'a', value: '{{fromEnvironment}}' }] },
        url: '{{baseUrl}}/form',
      },
    },
    { name: 'Elsewhere', request: { method: 'GET', url: 'https://other.example/x' } },
    {
      name: 'Graph',
      request: {
        method: 'POST',
        body: { mode: 'graphql', graphql: { query: 'query { me { id } }', variables: '{"a":1}' } },
        url: '{{baseUrl}}/graphql',
      },
    },
  ],
};

export const OPENAPI = `
openapi: 3.0.3
info: { title: Pets, version: "1" }
servers: [{ url: "https://{stage}.example.org/v2", variables: { stage: { default: api } } }]
security: [{ key: [] }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  parameters: { Limit: { name: limit, in: query, required: true, schema: { type: integer, example: 5 } } }
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, example: Rex }
        born: { type: string, format: date }
        friend: { $ref: "#/components/schemas/Pet" }
paths:
  /pets:
    parameters: [{ $ref: "#/components/parameters/Limit" }]
    get: { operationId: listPets, parameters: [{ name: tag, in: query, schema: { type: string } }] }
    post:
      operationId: addPet
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
  /pets/{id}:
    get:
      operationId: getPet
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: integer }, example: 12 }]
    delete: { operationId: removePet, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
`;

const sampler = (name: string, path: string, more = '', below = ''): string => `
<HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="${name}" enabled="true">
  <stringProp name="HTTPSampler.path">${path}</stringProp><boolProp name="HTTPSampler.follow_redirects">true</boolProp>
  <boolProp name="HTTPSampler.use_keepalive">true</boolProp>${more}
</HTTPSamplerProxy><hashTree>${below}</hashTree>`;

const argument = (name: string, value: string): string =>
  `<elementProp name="${name}" elementType="HTTPArgument"><stringProp name="Argument.value">${value}</stringProp><stringProp name="Argument.name">${name}</stringProp></elementProp>`;

const withArguments = (method: string, ...given: string[]): string => `<stringProp name="HTTPSampler.method">${method}</stringProp>
  <elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments">${given.join('')}</collectionProp></elementProp>`;

export const JMX = `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
<TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Shop of 2013" enabled="true">
  <elementProp name="TestPlan.user_defined_variables" elementType="Arguments"><collectionProp name="Arguments.arguments">
    <elementProp name="host" elementType="Argument"><stringProp name="Argument.name">host</stringProp><stringProp name="Argument.value">\${__P(host,127.0.0.1)}</stringProp></elementProp>
  </collectionProp></elementProp>
</TestPlan><hashTree>
<ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="Visitors" enabled="true">
  <stringProp name="ThreadGroup.num_threads">25</stringProp><stringProp name="ThreadGroup.ramp_time">10</stringProp>
  <boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">130</stringProp>
  <elementProp name="ThreadGroup.main_controller" elementType="LoopController"><intProp name="LoopController.loops">-1</intProp></elementProp>
</ThreadGroup><hashTree>
  <ConfigTestElement guiclass="HttpDefaultsGui" testclass="ConfigTestElement" testname="Defaults" enabled="true">
    <stringProp name="HTTPSampler.domain">\${host}</stringProp><stringProp name="HTTPSampler.port">8080</stringProp><stringProp name="HTTPSampler.response_timeout">20000</stringProp>
  </ConfigTestElement><hashTree/>
  <CookieManager testname="Cookies" enabled="true"><boolProp name="CookieManager.clearEachIteration">false</boolProp></CookieManager><hashTree/>
  <HeaderManager testname="Headers" enabled="true"><collectionProp name="HeaderManager.headers">
    <elementProp name="" elementType="Header"><stringProp name="Header.name">Accept-Language</stringProp><stringProp name="Header.value">es</stringProp></elementProp>
  </collectionProp></HeaderManager><hashTree/>
  <CSVDataSet testname="Accounts" enabled="true"><stringProp name="filename">accounts.csv</stringProp><stringProp name="variableNames">username,password</stringProp>
    <stringProp name="delimiter">;</stringProp><boolProp name="ignoreFirstLine">true</boolProp><boolProp name="recycle">true</boolProp></CSVDataSet><hashTree/>
  <UniformRandomTimer testname="Pauses" enabled="true"><stringProp name="ConstantTimer.delay">1000</stringProp><stringProp name="RandomTimer.range">2000</stringProp></UniformRandomTimer><hashTree/>
  <OnceOnlyController testname="Once" enabled="true"/><hashTree>
  ${sampler(
    'Log in',
    '/login',
    withArguments('POST', argument('username', '${username}'), argument('password', '${password}')),
    `<RegexExtractor testname="Task" enabled="true"><stringProp name="RegexExtractor.refname">task</stringProp><stringProp name="RegexExtractor.regex">href="/tasks/(\\w+)/</stringProp>
     <stringProp name="RegexExtractor.template">$1$</stringProp><stringProp name="RegexExtractor.match_number">0</stringProp></RegexExtractor><hashTree/>
     <ResponseAssertion testname="Welcome" enabled="true"><collectionProp name="Asserion.test_strings"><stringProp name="1">Welcome \${username}</stringProp></collectionProp>
     <stringProp name="Assertion.test_field">Assertion.response_data</stringProp><intProp name="Assertion.test_type">16</intProp></ResponseAssertion><hashTree/>`,
  )}</hashTree>
  <LoopController testname="Three times" enabled="true"><stringProp name="LoopController.loops">3</stringProp></LoopController><hashTree>
  ${sampler('Task', '/tasks/${task}/description', '<stringProp name="HTTPSampler.method">GET</stringProp><boolProp name="HTTPSampler.image_parser">true</boolProp>')}
  </hashTree>
  ${sampler(
    'Search',
    '/search',
    withArguments('GET', argument('q', 'a &amp; b'), argument('r', '${__Random(1,10)}')),
    `<JSONPostProcessor testname="Ids" enabled="true"><stringProp name="JSONPostProcessor.referenceNames">first</stringProp><stringProp name="JSONPostProcessor.jsonPathExprs">$.items[0].id</stringProp><stringProp name="JSONPostProcessor.match_numbers">1</stringProp></JSONPostProcessor><hashTree/>
     <ResponseAssertion testname="Status" enabled="true"><collectionProp name="Asserion.test_strings"><stringProp name="1">200</stringProp></collectionProp>
     <stringProp name="Assertion.test_field">Assertion.response_code</stringProp><intProp name="Assertion.test_type">8</intProp></ResponseAssertion><hashTree/>
     <DurationAssertion testname="Fast" enabled="true"><stringProp name="DurationAssertion.duration">900</stringProp></DurationAssertion><hashTree/>
     <JSR223PostProcessor testname="Code" enabled="true"/><hashTree/>`,
  )}
  ${sampler('Off', '/off').replace('enabled="true"', 'enabled="false"')}
  <IfController testname="If" enabled="true"/><hashTree>${sampler('Maybe', '/maybe/${first}')}</hashTree>
  <ResultCollector testname="View Results Tree" enabled="true"/><hashTree/>
</hashTree></hashTree></hashTree></jmeterTestPlan>`;

/** An entry of a HAR in the form that browsers write. */
export interface HarRequest {
  readonly url: string;
  readonly at?: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly mimeType: string; readonly text: string };
  readonly status?: number;
  readonly response?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly text?: string;
  readonly resource?: string;
  /** Index of the user action that caused the request. */
  readonly action?: number;
}

export function makeHar(...requests: readonly HarRequest[]): string {
  const pairs = (record: Readonly<Record<string, string>> = {}): { name: string; value: string }[] =>
    Object.entries(record).map(([name, value]) => ({ name, value }));
  const entries = requests.map(
    ({ url, at = 0, method = 'GET', headers, body, status = 200, response, type = 'text/html', text = '', resource, action }) => ({
      ...(resource === undefined ? {} : { _resourceType: resource }),
      ...(action === undefined ? {} : { _action: action }),
      startedDateTime: new Date(1_790_000_000_000 + at).toISOString(),
      time: 50,
      request: {
        method,
        url,
        httpVersion: 'HTTP/1.1',
        headers: pairs(headers),
        queryString: [],
        cookies: [],
        headersSize: -1,
        bodySize: -1,
        ...(body === undefined ? {} : { postData: body }),
      },
      response: {
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        headers: pairs(response),
        cookies: [],
        content: { size: text.length, mimeType: type, text },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 50, receive: 0 },
    }),
  );
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'browser', version: '1' }, pages: [], entries } });
}

/** A recorded visit with a token in a page, a login, and a response whose values later requests use. */
export const RECORDING = makeHar(
  {
    url: 'http://a.example/',
    text: '<input name="csrf" value="abc12345">',
    response: { 'Set-Cookie': 'sid=1234567; Path=/' },
    resource: 'document',
  },
  {
    url: 'http://a.example/login',
    method: 'POST',
    at: 900,
    status: 302,
    response: { Location: '/home' },
    body: { mimeType: 'application/x-www-form-urlencoded', text: 'u=a&password=b&csrf=abc12345' },
  },
  { url: 'http://a.example/api', at: 2_000, type: 'application/json', text: '{"token":"tok-12345","id":99999}', resource: 'fetch' },
  {
    url: 'http://a.example/api/99999?t=tok-12345',
    method: 'PUT',
    at: 3_000,
    body: { mimeType: 'application/json', text: '{"id":99999,"x":[{"y":null}]}' },
    headers: { Authorization: 'Bearer tok-12345', Cookie: 'sid=1234567' },
  },
);

export const FUNKLOAD = `# FunkLoad test configuration file
[main]
title=Practice as a pupil
description=Answers exercises
  on many pages
url = http://school.example:8080/app
user_agent = Mozilla/5.0

[test_practice]
description=Answers %(count)s exercises
count=10

[monitor]
hosts=localhost

[ftest]
ok_codes = 200:302
sleep_time_min = 7

[bench]
; a cycle is a number of users
cycles = 50:100:1000
duration = 180
startup_delay = 0.5
sleep_time = 1
cycle_time = 2
sleep_time_min = 0
sleep_time_max = 2 ; seconds
`;

/** A list of addresses with the variables and requests of siege. */
export const ADDRESS_LIST = `# shop
HOST=shop.example:8080
http://$(HOST)/
http://\${HOST}/login POST name=ann&page=2
https://cdn.example/a.css   # style
`;

export const VEGETA_TARGETS = `GET http://shop.example/
Accept: text/html

POST http://shop.example/items
Content-Type: application/json
@/tmp/item.json
`;
