/** A command line with the expected import. The commands come from wikis, forums, reports and browser clipboards. */
export interface CorpusCommand {
  readonly text: string;
  readonly kind: string;
  readonly method?: string;
  /** Target and path of the first step together. */
  readonly url: string;
  readonly load: string;
}

const CURL = '1 connections 30 s';

export const COMMAND_CORPUS: readonly CorpusCommand[] = [
  {
    kind: 'ab',
    text: 'ab -n 100000 -c 60 -C "contest_login=abc|def" http://contest.example.org/tasks/a/description',
    url: 'http://contest.example.org/tasks/a/description',
    load: '60 connections 100000 requests',
  },
  { kind: 'ab', text: 'ab -n 1000 -c 10 http://localhost:8080/', url: 'http://localhost:8080/', load: '10 connections 1000 requests' },
  {
    kind: 'ab',
    text: '$ ab -k -c 100 -n 20000 http://127.0.0.1/index.html',
    url: 'http://127.0.0.1/index.html',
    load: '100 connections 20000 requests',
  },
  { kind: 'ab', text: 'ab -kn10 -c2 http://a.example/', url: 'http://a.example/', load: '2 connections 10 requests' },
  { kind: 'ab', text: 'time ab -t 60 -c 50 -r https://shop.example.org/', url: 'https://shop.example.org/', load: '50 connections 60 s' },
  {
    kind: 'ab',
    text: "ab -n 500 -c 5 -p post.json -T 'application/json' -H 'Authorization: Bearer abc.def' http://api.example.org/orders",
    method: 'POST',
    url: 'http://api.example.org/orders',
    load: '5 connections 500 requests',
  },
  {
    kind: 'ab',
    text: 'ab -n 100 -c 10 -A user:secret -H "Accept-Encoding: gzip" http://a.example/admin/',
    url: 'http://a.example/admin/',
    load: '10 connections 100 requests',
  },
  {
    kind: 'ab',
    text: 'sudo ab -l -r -n 2000 -c 200 -s 120 -g out.tsv -e out.csv http://192.0.2.10:8080/ping > ab.log 2>&1',
    url: 'http://192.0.2.10:8080/ping',
    load: '200 connections 2000 requests',
  },
  { kind: 'ab', text: 'ab -i -n 10 http://a.example/', method: 'HEAD', url: 'http://a.example/', load: '1 connections 10 requests' },
  {
    kind: 'ab',
    text: 'ab -m DELETE -n 10 -X proxy:3128 -P me:pw http://a.example/x',
    method: 'DELETE',
    url: 'http://a.example/x',
    load: '1 connections 10 requests',
  },
  {
    kind: 'ab',
    text: 'docker run --rm jordi/ab -k -c 100 -n 100000 http://www.example.org/',
    url: 'http://www.example.org/',
    load: '100 connections 100000 requests',
  },
  { kind: 'ab', text: 'root@web1:~# ab -n 50 -c 5 -v 2 -w http://a.example/', url: 'http://a.example/', load: '5 connections 50 requests' },
  {
    kind: 'wrk',
    text: 'wrk -t12 -c400 -d30s http://127.0.0.1:8080/index.html',
    url: 'http://127.0.0.1:8080/index.html',
    load: '400 connections 30 s',
  },
  { kind: 'wrk', text: 'wrk -t4 -c1k -d2m --latency http://a.example/', url: 'http://a.example/', load: '1000 connections 120 s' },
  {
    kind: 'wrk',
    text: 'wrk -c 100 -d 1h --timeout 10s -H "Host: shop.example" http://127.0.0.1/',
    url: 'http://127.0.0.1/',
    load: '100 connections 3600 s',
  },
  { kind: 'wrk', text: 'wrk -t2 -c10 -d5s -s post.lua http://a.example/', url: 'http://a.example/', load: '10 connections 5 s' },
  {
    kind: 'wrk',
    text: './wrk --threads 2 --connections=8 --duration 30 http://a.example/',
    url: 'http://a.example/',
    load: '8 connections 30 s',
  },
  { kind: 'wrk2', text: 'wrk2 -t4 -c100 -d30s -R2000 --latency http://127.0.0.1:80/', url: 'http://127.0.0.1/', load: '2000/s 30 s' },
  { kind: 'wrk2', text: 'wrk -t2 -c100 -d30s -R2k -L http://127.0.0.1:80/', url: 'http://127.0.0.1/', load: '2000/s 30 s' },
  {
    kind: 'wrk2',
    text: 'wrk2 -c 20 -d 10s --rate 50 -U -H "Connection: Close" http://a.example/',
    url: 'http://a.example/',
    load: '50/s 10 s',
  },
  { kind: 'hey', text: 'hey -n 1000 -c 100 https://example.org', url: 'https://example.org/', load: '100 connections 1000 requests' },
  { kind: 'hey', text: 'hey -z 30s -c 50 -q 10 http://localhost:3000/', url: 'http://localhost:3000/', load: '500/s 30 s' },
  {
    kind: 'hey',
    text: `hey -m POST -T application/json -d '{"id":1}' http://localhost:3000/items`,
    method: 'POST',
    url: 'http://localhost:3000/items',
    load: '50 connections 200 requests',
  },
  {
    kind: 'hey',
    text: 'hey -z 1m30s -c 5 -disable-keepalive -host shop.example -t 5 http://127.0.0.1/',
    url: 'http://127.0.0.1/',
    load: '5 connections 90 s',
  },
  {
    kind: 'hey',
    text: 'hey -n 10 -c 1 -a me:pw -A text/html -U agent -h2 -x proxy:80 http://a.example/',
    url: 'http://a.example/',
    load: '1 connections 10 requests',
  },
  {
    kind: 'hey',
    text: 'hey -D body.bin -m PUT http://a.example/',
    method: 'PUT',
    url: 'http://a.example/',
    load: '50 connections 200 requests',
  },
  {
    kind: 'oha',
    text: 'oha -n 1000 -c 50 --no-tui https://example.org',
    url: 'https://example.org/',
    load: '50 connections 1000 requests',
  },
  { kind: 'oha', text: 'oha -z 10s -q 100 --latency-correction http://localhost:8000/', url: 'http://localhost:8000/', load: '100/s 10 s' },
  {
    kind: 'oha',
    text: 'oha -z 2m -c 10 --disable-keepalive --redirect 0 --insecure https://localhost:8443/',
    url: 'https://localhost:8443/',
    load: '10 connections 120 s',
  },
  {
    kind: 'oha',
    text: `oha -m PATCH -d '{"a":2}' -T application/json --unix-socket /run/app.sock http://app/x`,
    method: 'PATCH',
    url: 'http://app/x',
    load: '50 connections 200 requests',
  },
  {
    kind: 'oha',
    text: 'oha -F "photo=@cat.jpg;type=image/jpeg" -F note=hello -m POST http://a.example/upload',
    method: 'POST',
    url: 'http://a.example/upload',
    load: '50 connections 200 requests',
  },
  { kind: 'autocannon', text: 'autocannon -c 100 -d 40 -p 10 localhost:3000', url: 'http://localhost:3000/', load: '100 connections 40 s' },
  {
    kind: 'autocannon',
    text: 'npx autocannon -a 5000 -c 20 http://localhost:3000/api',
    url: 'http://localhost:3000/api',
    load: '20 connections 5000 requests',
  },
  { kind: 'autocannon', text: 'autocannon -R 500 -d 5 -w 2 http://localhost:3000/', url: 'http://localhost:3000/', load: '500/s 5 s' },
  {
    kind: 'autocannon',
    text: `autocannon -m POST -H "Content-Type=application/json" -b '{"hello":"world"}' http://localhost:3000/`,
    method: 'POST',
    url: 'http://localhost:3000/',
    load: '10 connections 10 s',
  },
  {
    kind: 'autocannon',
    text: 'autocannon -c 10 -D 1 --renderStatusCodes -W [ -c 1 -d 2 ] http://localhost:3000/',
    url: 'http://localhost:3000/',
    load: '10 connections 10 s',
  },
  { kind: 'curl', text: 'curl https://example.org/', url: 'https://example.org/', load: CURL },
  { kind: 'curl', text: 'curl -I http://example.org', method: 'HEAD', url: 'http://example.org/', load: CURL },
  {
    kind: 'curl',
    text: 'curl -sS -o /dev/null -w "%{http_code} %{time_total}\\n" https://example.org/health',
    url: 'https://example.org/health',
    load: CURL,
  },
  {
    kind: 'curl',
    text: `curl -X POST -H "Content-Type: application/json" -d '{"user":"ada","password":"hush"}' https://api.example.org/login`,
    method: 'POST',
    url: 'https://api.example.org/login',
    load: CURL,
  },
  {
    kind: 'curl',
    text: 'curl -d name=ada -d "city=New York" http://example.org/form',
    method: 'POST',
    url: 'http://example.org/form',
    load: CURL,
  },
  {
    kind: 'curl',
    text: 'curl -G --data-urlencode "q=load testing" -d page=2 http://example.org/search',
    url: 'http://example.org/search?q=load+testing&page=2',
    load: CURL,
  },
  { kind: 'curl', text: 'curl -u admin:s3cret -k -L --compressed https://10.0.0.5/status', url: 'https://10.0.0.5/status', load: CURL },
  {
    kind: 'curl',
    text: 'curl -F "file=@photo.jpg" -F "title=A cat" https://example.org/upload',
    method: 'POST',
    url: 'https://example.org/upload',
    load: CURL,
  },
  {
    kind: 'curl',
    text: 'curl -T report.pdf https://example.org/files/report.pdf',
    method: 'PUT',
    url: 'https://example.org/files/report.pdf',
    load: CURL,
  },
  {
    kind: 'curl',
    text: 'curl -H "Authorization: Bearer $TOKEN" "https://api.example.org/v1/items?limit=10"',
    url: 'https://api.example.org/v1/items?limit=10',
    load: CURL,
  },
  { kind: 'curl', text: `curl --json '{"a":1}' http://example.org/j`, method: 'POST', url: 'http://example.org/j', load: CURL },
  { kind: 'curl', text: 'curl --unix-socket /var/run/docker.sock http://localhost/version', url: 'http://localhost/version', load: CURL },
  {
    kind: 'curl',
    text: 'curl --request DELETE --url http://example.org/items/7 --max-time 10 --connect-timeout 2',
    method: 'DELETE',
    url: 'http://example.org/items/7',
    load: CURL,
  },
  { kind: 'curl', text: 'curl http://example.org/?a=1&b=2;c', url: 'http://example.org/?a=1&b=2;c', load: CURL },
  { kind: 'curl', text: 'curl.exe "https://example.org/a" -H "Accept: */*" `\n  -H "X-Test: 1"', url: 'https://example.org/a', load: CURL },
  {
    // Copied from Chromium with “Copy as cURL (bash)”.
    kind: 'curl',
    text: `curl 'https://www.example.org/api/items?page=1' \\
  -H 'accept: application/json' \\
  -H 'accept-language: en-GB,en;q=0.9' \\
  -b 'sid=0123456789; theme=dark' \\
  -H 'sec-ch-ua: "Chromium";v="140"' \\
  --data-raw $'{"name":"O\\'Brien","text":"a\\u0021"}'`,
    method: 'POST',
    url: 'https://www.example.org/api/items?page=1',
    load: CURL,
  },
  {
    // Copied from Chromium with “Copy as cURL (cmd)”.
    kind: 'curl',
    text: `curl ^"https://www.example.org/api/items?page=1^&x=^%^20^" ^
  -H ^"accept: application/json^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\\^"name^\\^":^\\^"Ada^\\^"^}^"`,
    method: 'POST',
    url: 'https://www.example.org/api/items?page=1&x=%20',
    load: CURL,
  },
  {
    // Copied from Chromium with “Copy as PowerShell”.
    kind: 'curl',
    text: `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "0123456789", "/", "www.example.org")))
Invoke-WebRequest -UseBasicParsing -Uri "https://www.example.org/api/login" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"Accept"="application/json"
  "Origin"="https://www.example.org"
} \`
-ContentType "application/json" \`
-Body "{\`"user\`":\`"ada\`",\`"price\`":\`"5 \`$\`"}"`,
    method: 'POST',
    url: 'https://www.example.org/api/login',
    load: CURL,
  },
  {
    // Copied from Firefox with “Copy as cURL (POSIX)”.
    kind: 'curl',
    text: `curl 'http://127.0.0.1:8080/login' --compressed -X POST -H 'User-Agent: Mozilla/5.0' -H 'Content-Type: application/x-www-form-urlencoded' -H 'Cookie: _xsrf=2|abc' --data-raw 'username=user1&password=pw%26x'`,
    method: 'POST',
    url: 'http://127.0.0.1:8080/login',
    load: CURL,
  },
  {
    // Copied from Chromium with “Copy as fetch”.
    kind: 'curl',
    text: `fetch("https://www.example.org/api/items", {
  "headers": {
    "accept": "*/*",
    "content-type": "application/json"
  },
  "referrer": "https://www.example.org/",
  "body": "{\\"a\\":1}",
  "method": "PUT",
  "mode": "cors",
  "credentials": "include"
});`,
    method: 'PUT',
    url: 'https://www.example.org/api/items',
    load: CURL,
  },
  {
    // Copied from Chromium with “Copy all as cURL (bash)”.
    kind: 'curl',
    text: `curl 'http://a.example/' -H 'Accept: text/html' ;
curl 'http://a.example/api/me' -H 'Accept: application/json' ;
curl 'http://other.example/track' -X POST`,
    url: 'http://a.example/',
    load: '10 users 60 s',
  },
  {
    kind: 'curl',
    text: "iwr -Uri 'http://example.org/it''s' -Method Post -Body @{ name='ada'; city='Paris' }",
    method: 'POST',
    url: "http://example.org/it's",
    load: CURL,
  },
  { kind: 'address', text: 'http://contest.example.org/tasks', url: 'http://contest.example.org/tasks', load: '10 connections 30 s' },
  { kind: 'address', text: '"https://example.org/a?b=c#part"', url: 'https://example.org/a?b=c', load: '10 connections 30 s' },
  { kind: 'address', text: 'localhost:8080/index.html', url: 'http://localhost:8080/index.html', load: '10 connections 30 s' },
  {
    kind: 'ab',
    text: '# our load test of 2014\nab -n 100 -c 10 \\\n   -H "Accept: text/html" \\\n   http://a.example/',
    url: 'http://a.example/',
    load: '10 connections 100 requests',
  },
  { kind: 'ab', text: 'ab -n 100\n  -c 10\n  http://a.example/', url: 'http://a.example/', load: '10 connections 100 requests' },
  { kind: 'wrk', text: 'cd /tmp && wrk -c 3 -d 3 http://a.example/ | tee wrk.txt', url: 'http://a.example/', load: '3 connections 3 s' },
  { kind: 'curl', text: `echo '{"a":1}' | curl -X POST -d @- http://a.example/`, method: 'POST', url: 'http://a.example/', load: CURL },
  { kind: 'siege', text: 'siege -c 20 -t 30S -b http://a.example/', url: 'http://a.example/', load: '20 connections 30 s' },
  {
    kind: 'siege',
    text: `siege --concurrent=5 --reps=10 "http://a.example/orders POST a=1"`,
    method: 'POST',
    url: 'http://a.example/orders',
    load: '5 connections 50 requests',
  },
  {
    kind: 'vegeta',
    text: 'echo "GET http://a.example/" | vegeta attack -rate=5 -duration=30s',
    url: 'http://a.example/',
    load: '5/s 30 s',
  },
  { kind: 'bombardier', text: 'bombardier -c 50 -d 20s http://a.example/', url: 'http://a.example/', load: '50 connections 20 s' },
  { kind: 'h2load', text: 'h2load -n 1000 -c 10 -m 5 https://a.example/', url: 'https://a.example/', load: '50 connections 1000 requests' },
  { kind: 'h2load', text: 'h2load --h1 -D 10 -c 10 http://a.example/x', url: 'http://a.example/x', load: '10 connections 10 s' },
  {
    kind: 'wget',
    text: 'wget -qO- --post-data="a=1&b=2" --header="X-A: b" http://a.example/',
    method: 'POST',
    url: 'http://a.example/',
    load: CURL,
  },
  { kind: 'httpie', text: 'http POST a.example/orders X-A:b name=ada age:=33', method: 'POST', url: 'http://a.example/orders', load: CURL },
  {
    kind: 'curl',
    text: 'for i in $(seq 100); do curl -s http://a.example/ & done; wait',
    url: 'http://a.example/',
    load: '100 connections 100 requests',
  },
  { kind: 'curl', text: 'while true; do curl http://a.example/; done', url: 'http://a.example/', load: '1 connections 60 s' },
  { kind: 'curl', text: "seq 50 | xargs -P 5 -I{} curl 'http://a.example/'", url: 'http://a.example/', load: '5 connections 50 requests' },
  { kind: 'httpie', text: 'https -a ada:pw a.example/me q==1', url: 'https://a.example/me?q=1', load: CURL },
];
