import { describe, expect, it } from 'vitest';
import { importText } from './importText.ts';
import { readImported } from './testing/imported.ts';

/** Returns the title of a refused text and the suggested alternative. */
function refusal(text: string): string {
  const result = importText(text);
  return result.kind === 'imported'
    ? `imported as ${result.imported.kind}`
    : result.issues.map(({ message, hint }) => `${message} ${hint}`).join(' ');
}

const LOCUST = `# Start the shop, then check it:
#   curl http://localhost:8000/health
from locust import HttpUser, task

class Shopper(HttpUser):
    @task
    def offers(self):
        self.client.get("/offers")
`;
const GATLING = `package shop
// ab -n 1000 -c 10 http://localhost:3000/ping
import io.gatling.core.Predef._
import io.gatling.http.Predef._
class ShopSimulation extends Simulation {
  val httpProtocol = http.baseUrl("http://localhost:3000")
}
`;

describe('importText: unsupported files:', () => {
  it.each([
    ['a Locust test', LOCUST],
    ['a Locust test', `"""Load test.\n\n    curl http://localhost:8000/health\n"""\nimport locust\n`],
    ['a Gatling simulation', GATLING],
    ['a Gatling simulation', 'import { simulation } from "@gatling.io/core";\nimport { http } from "@gatling.io/http";\n'],
    ['a Gatling simulation', 'import static io.gatling.javaapi.core.CoreDsl.*;\npublic class A extends Simulation {}\n'],
    [
      'a tsung scenario',
      '<?xml version="1.0"?>\n<!DOCTYPE tsung SYSTEM "/usr/share/tsung/tsung-1.0.dtd">\n<tsung loglevel="notice"><clients/></tsung>',
    ],
    ['a Thunder Client collection', '{"client": "Thunder Client", "collectionName": "Shop", "requests": [{"url": "http://a.example/"}]}'],
    [
      'a Hoppscotch collection',
      '[{"v": 2, "name": "Shop", "folders": [], "requests": [{"endpoint": "http://a.example/", "method": "GET"}]}]',
    ],
    ['a JetClient collection', '{"info": {"schema": "https://jetclient.io/schema"}, "requests": []}'],
    [
      'a Taurus configuration',
      'execution:\n- concurrency: 10\n  scenario: quick\nscenarios:\n  quick:\n    requests: [http://a.example/]\n',
    ],
    ['a drill benchmark', "concurrency: 4\nbase: 'http://localhost:9000'\nplan:\n  - name: a\n    request: { url: / }\n"],
    ['a drill benchmark', '- name: a\n  request: { url: /a }\n'],
    ['a Taurus configuration', '{"execution": {"executor": "gatling", "scenario": {"script": "A.scala"}}}'],
    [
      'a Thunder Client collection',
      '[{"_id": "1", "colId": "2", "containerId": "", "name": "a", "url": "http://a.example/", "method": "GET"}]',
    ],
    ['a Thunder Client collection', '[{"_id": "1", "colName": "Shop", "folders": []}]'],
    [
      'an old export of Insomnia',
      '{"_type": "export", "__export_format": 2, "resources": [{"_type": "request", "url": "http://a.example/", "body": "x"}]}',
    ],
    ['a list of Artillery scenarios without a configuration', 'scenarios:\n  - flow:\n      - get: { url: / }\n'],
    ['a Tavern test', 'test_name: a\nstages:\n  - name: b\n    request: { url: http://a.example/ }\n'],
    ['a Step CI workflow', 'version: "1.1"\ntests: { a: { steps: [{ http: { url: http://a.example/ } }] } }\n'],
    ['a test of ddosify', '{"load_type": "linear", "steps": [{"url": "http://a.example/"}]}'],
    ['a description of a SOAP service (WSDL)', '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"></wsdl:definitions>'],
    ['a RAML description', '#%RAML 1.0\ntitle: a\n'],
    ['an API Blueprint', 'FORMAT: 1A\nHOST: http://a.example\n\n# Users [/users]\n'],
    ['a table of JMeter results', 'timeStamp,elapsed,label,responseCode\n1,2,a,200\n'],
    ['a Hurl file', 'GET http://a.example/a\nHTTP 200\n\nPOST http://a.example/b\n[FormParams]\nuser: a\n'],
    ['a Hurl file', '# a check\nGET http://a.example/a\n[Asserts]\nstatus == 200\n'],
    ['a settings file of siege (.siegerc)', 'verbose = true\nshow-logfile = false\nconcurrent = 25\n'],
    ['a list of paths without a server', '/\n/about\n/contact\n'],
    ['an access log', '10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326\n'],
    ['ammunition of Yandex.Tank', '[Host: a.example]\n[Connection: close]\n/a good\n'],
    ['a plow command', 'plow http://127.0.0.1:8080/ -c 20 -n 100000\n'],
    ['a ghz command', 'ghz --insecure --proto a.proto --call a.B/C -n 100 localhost:50051\n'],
    ['a fortio command', '$ fortio load -c 8 -qps 100 http://localhost:8080/\n'],
    ['a k6 test of Kubernetes', 'apiVersion: k6.io/v1alpha1\nkind: TestRun\nspec: { parallelism: 2 }\n'],
    ['a Playwright script', "// curl http://localhost:3000/health\nimport { test } from '@playwright/test';\n"],
    ['a Cypress test', "describe('a', () => {\n  it('b', () => {\n    cy.visit('http://localhost/');\n  });\n});\n"],
    ['a Lua script for wrk', '-- wrk -t4 -c100 -d30s -s post.lua http://localhost:8080/\nwrk.method = "POST"\n'],
    ['a Python program', '# curl http://localhost/health\nimport requests\nrequests.get("http://localhost/")\n'],
    ['a Go program that uses vegeta', 'package main\n// curl http://localhost/\nimport vegeta "github.com/tsenart/vegeta/v12/lib"\n'],
    ['a file of a Bruno collection without a request', 'vars {\n  host: http://a.example\n}\n'],
    ['source code', '#!/usr/bin/env node\n// ab -n 10 http://localhost/\nconst http = require("http");\nhttp.get("http://localhost/");\n'],
    ['source code', '/*\n * curl http://localhost/health\n */\npackage main\n'],
    ['a recording of Chrome’s Recorder', '{"title": "a", "steps": [{"type": "navigate", "url": "http://a.example/"}]}'],
    ['a web test of Visual Studio', '<WebTest Name="a"><Items/></WebTest>'],
    ['the output of a load generator', 'Running 30s test @ http://127.0.0.1:8080/\n  12 threads and 400 connections\n'],
  ])('%s is refused by name, with an alternative', (title, text) => {
    const found = refusal(text);
    expect(found).toContain(`This is ${title}. Holdfast does not read it. `);
    expect(found.length).toBeGreaterThan(`This is ${title}. Holdfast does not read it. `.length + 20);
  });

  it.each([
    [
      '#!/bin/sh\nnode server.js &\nuntil curl -sf http://localhost:8080/health; do sleep 1; done\nk6 run --vus 40 orders.js\n',
      'This text starts k6 with orders.js. Import what it runs: holdfast import k6 orders.js',
    ],
    [
      'docker run --rm -i grafana/k6 run - <script.js',
      'This text starts k6 with script.js. Import what it runs: holdfast import k6 script.js',
    ],
    [
      'services:\n  k6:\n    image: grafana/k6:latest\n    command: run /scripts/test.js\n',
      'This text starts k6. Import what it runs: holdfast import k6 FILE',
    ],
    ['jmeter -n -t shop.jmx -l out.jtl', 'This text starts JMeter with shop.jmx. Import what it runs: holdfast import jmeter shop.jmx'],
    ['newman run shop.postman_collection.json', 'Import what it runs: holdfast import postman shop.postman_collection.json'],
    [
      'curl http://a.example/health && locust -f locustfile.py --headless',
      'This text starts Locust with locustfile.py. Record the site instead',
    ],
  ])('a script that starts a load generator is refused with the file to import: %s', (text, expected) => {
    expect(refusal(text)).toContain(expected);
  });

  it('the format of an archive is named, with a suggestion to unpack it', () => {
    expect(refusal('PK\u0003\u0004\u0014\0\0')).toBe(
      'This is a ZIP archive. Unpack it, and import the files in it: holdfast import bruno FOLDER/*.bru',
    );
  });

  it('the load command on a page about several tools is read', () => {
    expect(readImported('We used locust before:\n\n    from locust import task\n\nNow: ab -n 100 -c 10 http://a.example/\n').kind).toBe(
      'ab',
    );
  });

  it('documents whose strings contain code are read', () => {
    const text =
      'openapi: 3.0.0\nservers: [{ url: http://a.example }]\npaths:\n  /a:\n    get:\n      description: |\n        import requests\n        from locust import task\n';
    expect(readImported(text).kind).toBe('openapi');
  });
});
