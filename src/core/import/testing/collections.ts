/** Typical k6 scripts and collections of other clients. */

export const K6 = `
import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import papaparse from 'https://jslib.k6.io/papaparse/5.1.1/index.js';
import { randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.2.0/index.js';

const BASE = 'https://shop.example';
const users = new SharedArray('users', function () {
  return papaparse.parse(open('./users.csv'), { header: true }).data;
});

export const options = {
  stages: [
    { duration: '1m', target: 50 },
    { duration: '3m', target: 50 },
    { duration: '1m', target: 0 },
  ],
  thresholds: { http_req_duration: ['p(95)<500'], http_req_failed: ['rate<0.01'] },
};

export default function () {
  const user = users[Math.floor(Math.random() * users.length)];
  const login = http.post(BASE + '/api/login', JSON.stringify({ user: user.name, password: user.password }), {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'login' },
  });
  check(login, { 'logged in': (r) => r.status === 200 });
  const params = { headers: { Authorization: \`Bearer \${login.json('access_token')}\` } };
  group('shop', () => {
    const orders = http.get(\`\${BASE}/api/orders\`, params);
    sleep(randomIntBetween(1, 3));
    http.post(BASE + '/api/orders', JSON.stringify({ id: orders.json().items[0].id, count: 2 }), params);
  });
}
`;

export const HTTP_FILE = `# Shop
@base = https://api.shop.example/v1

### Log in
# @name login
POST {{base}}/login HTTP/1.1
Content-Type: application/json

{"user":"ada","password":"{{$dotenv password}}"}

### Orders
@token = {{login.response.body.$.access_token}}
GET {{base}}/orders
    ?page=1
    &size=20
Authorization: Bearer {{token}}
X-A: {{$guid}}
X-B: {{$guid}}

###
POST {{base}}/upload
Content-Type: multipart/form-data; boundary=xx

--xx
Content-Disposition: form-data; name="title"

Hello
--xx
Content-Disposition: form-data; name="file"; filename="a.png"

< ./a.png
--xx--

> {%
  client.test("ok", function() { client.assert(response.status === 201, "no"); });
  client.global.set("id", response.body.id);
%}

###
DELETE https://files.shop.example/f/{{id}}

### search
POST {{base}}/graphql
X-REQUEST-TYPE: GraphQL

query ($id: ID!) { order(id: $id) { name } }

{ "id": "7" }
`;

export const BRUNO = `headers {
  X-Client: bruno
}

auth {
  mode: bearer
}

auth:bearer {
  token: {{token}}
}

vars {
  base: https://api.shop.example/v1
}

meta {
  name: orders
  type: http
  seq: 2
}

get {
  url: {{base}}/orders?page=1
  body: none
  auth: inherit
}

params:query {
  page: 1
  ~size: 20
}

assert {
  res.responseTime: lt 500
}

meta {
  name: login
  type: http
  seq: 1
}

post {
  url: {{base}}/login
  body: json
  auth: none
}

body:json {
  {"user":"ada","password":"{{password}}"}
}

vars:post-response {
  token: res.body.access_token
}

assert {
  res.status: eq 200
}

tests {
  test("is a token", function() {
    expect(res.getBody().access_token).to.be.a("string");
  });
}
`;

export const INSOMNIA = `type: collection.insomnia.rest/5.0
name: Shop
meta: { id: wrk_1 }
collection:
  - name: shop
    meta: { id: fld_1 }
    children:
      - url: "{{ _.base_url }}/v1/login"
        name: login
        meta: { id: req_1 }
        method: POST
        body:
          mimeType: application/json
          text: '{"user":"ada","password":"{{ _.password }}"}'
        headers:
          - { name: Content-Type, value: application/json }
          - { name: User-Agent, value: insomnia/10.3.1 }
      - url: "{{ _.base_url }}/v1/orders"
        name: orders
        meta: { id: req_2 }
        method: GET
        parameters:
          - { name: page, value: "1" }
          - { name: size, value: "20", disabled: true }
        authentication:
          type: bearer
          token: "{% response 'body', 'req_1', 'b64::JC5hY2Nlc3NfdG9rZW4=::46b', 'never', 60 %}"
environments:
  name: Base Environment
  data: {}
  subEnvironments:
    - { name: staging, data: { base_url: "https://staging.shop.example" } }
    - { name: production, data: { base_url: "https://shop.example" } }
`;

export const OLD_INSOMNIA = JSON.stringify({
  _type: 'export',
  __export_format: 4,
  resources: [
    { _id: 'wrk_1', _type: 'workspace', name: 'Shop', parentId: null },
    { _id: 'fld_1', _type: 'request_group', name: 'shop', parentId: 'wrk_1' },
    {
      _id: 'req_2',
      _type: 'request',
      parentId: 'fld_1',
      metaSortKey: 2,
      name: 'orders',
      method: 'GET',
      url: '{{ base_url }}/v1/orders',
      parameters: [{ name: 'page', value: '1' }],
      authentication: { type: 'bearer', token: "{% response 'body', 'req_1', 'b64::JC5hY2Nlc3NfdG9rZW4=::46b', 'never', 60 %}" },
    },
    {
      _id: 'req_1',
      _type: 'request',
      parentId: 'fld_1',
      metaSortKey: 1,
      name: 'login',
      method: 'POST',
      url: '{{ base_url }}/v1/login',
      body: { mimeType: 'application/json', text: '{"user":"ada","password":"{{ password }}"}' },
      headers: [{ name: 'Content-Type', value: 'application/json' }],
    },
    { _id: 'env_1', _type: 'environment', parentId: 'wrk_1', name: 'Base Environment', data: {} },
    { _id: 'env_2', _type: 'environment', parentId: 'env_1', name: 'staging', data: { base_url: 'https://staging.shop.example' } },
    { _id: 'env_3', _type: 'environment', parentId: 'env_1', name: 'production', data: { base_url: 'https://shop.example' } },
  ],
});
