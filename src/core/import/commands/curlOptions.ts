import { certificate, connectTo, does, field, none, nothing, output, type Options, protocol, proxy, retries, table } from './meaning.ts';

const otherLogin = none(
  'A login is asked for that is agreed on with the server, or stands in a file.',
  'It was left out; only name and password of HTTP Basic can be sent.',
  false,
);

export const curlOptions: Options = table(
  ['-X --request', field('method')],
  ['-I --head', does('head')],
  ['-H --header', field('header')],
  ['-b --cookie', field('cookie')],
  ['-u --user', field('login')],
  ['--oauth2-bearer', field('bearer')],
  ['-A --user-agent', field('userAgent')],
  ['-e --referer', field('referer')],
  ['-r --range', field('range')],
  ['-m --max-time', field('timeout')],
  ['--connect-timeout', field('connectTimeout')],
  ['--url', field('address')],
  ['-d --data --data-ascii', field('data')],
  ['--data-raw', field('dataRaw')],
  ['--data-binary', field('dataBinary')],
  ['--data-urlencode', field('dataEncoded')],
  ['--json', field('json')],
  ['-F --form', field('part')],
  ['--form-string', field('partText')],
  ['--url-query', field('queryEncoded')],
  ['-T --upload-file', field('putFile')],
  ['--max-redirs', field('mostRedirects')],
  ['--unix-socket', field('unixSocket')],
  ['--interface', field('localAddress')],
  ['-G --get', does('dataInQuery')],
  ['-g --globoff', does('globOff')],
  ['-k --insecure', does('insecure')],
  ['--compressed', does('compressed')],
  ['-L --location --location-trusted', does('follow')],
  ['--no-keepalive', does('closes')],
  ['-h --help -V --version -M --manual', does('help')],
  ['-s --silent -S --show-error -i --include --show-headers -v --verbose -f --fail --fail-with-body -N --no-buffer', nothing],
  ['-# --progress-bar --no-progress-meter -O --remote-name --http1.1 --basic --path-as-is -j --junk-session-cookies -q --disable', nothing],
  [
    '-J --remote-header-name --remote-name-all --create-dirs -R --remote-time --tcp-nodelay --styled-output --no-styled-output --no-silent',
    nothing,
  ],
  ['-Z --parallel --parallel-immediate --fail-early', nothing],
  [
    '--raw --trace-time --trace-ids --suppress-connect-headers --remove-on-error --no-clobber --skip-existing --out-null --xattr --tcp-fastopen --mptcp',
    nothing,
  ],
  [
    '-o --output -w --write-out -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir --parallel-max --max-filesize',
    output,
  ],
  [
    '--keepalive-time --keepalive-cnt --trace-config --libcurl --etag-save --hsts --alt-svc --create-file-mode --happy-eyeballs-timeout-ms',
    output,
  ],
  ['--expect100-timeout --proto --proto-redir --random-file --egd-file --engine --parallel-max-host --ip-tos --vlan-priority', output],
  [
    '--proxy1.0 --proxy-capath --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --socks5-gssapi-service --haproxy-clientip',
    proxy,
  ],
  [
    '-x --proxy -U --proxy-user --socks4 --socks4a --socks5 --socks5-hostname --noproxy --preproxy --proxy-header --proxy-cacert --proxy-cert --proxy-key',
    proxy,
  ],
  [
    '-p --proxytunnel --proxy-anyauth --proxy-basic --proxy-digest --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tlsv1 --proxy-ca-native --proxy-http2 --socks5-basic --socks5-gssapi --socks5-gssapi-nec --haproxy-protocol',
    { ...proxy, hasValue: false },
  ],
  [
    '-E --cert --key --cacert --capath --pass --cert-type --key-type --pinnedpubkey --crlfile --tlsauthtype --tlspassword --tlsuser',
    certificate,
  ],
  ['--digest --ntlm --ntlm-wb --sasl-ir --negotiate --anyauth -n --netrc --netrc-optional', otherLogin],
  [
    '--aws-sigv4 --netrc-file --delegation --krb --login-options --sasl-authzid --service-name',
    none('A login is asked for that is agreed on with the server, or stands in a file.', 'It was left out.'),
  ],
  [
    '--limit-rate --rate --speed-limit --speed-time -y -Y',
    none('The speed of a transfer is limited.', 'It was left out: answers are taken as fast as they come.'),
  ],
  ['--retry --retry-delay --retry-max-time', retries],
  [
    '--retry-connrefused --retry-all-errors',
    none('What fails is tried again.', 'Each request is sent once, so that failures are counted.', false),
  ],
  ['--resolve --connect-to', connectTo],
  [
    '--dns-servers --doh-url --dns-interface --dns-ipv4-addr --dns-ipv6-addr',
    none('Names are asked for at a server of its own.', 'They are looked up as this system does, and may lead to another machine.'),
  ],
  ['--local-port', none('Connections begin at ports of its own.', 'The system chooses their ports.')],
  ['--abstract-unix-socket', none('Requests go to a socket of this machine.', 'It was left out: they go to the host and port of the URL.')],
  [
    '--ciphers --tls-max --tls13-ciphers --curves --ech --sigalgs',
    none('How TLS is spoken is said in detail.', "It is agreed on with Node's defaults, so handshakes may take longer or shorter."),
  ],
  [
    '--doh-cert-status --doh-insecure',
    none('How a server of names is trusted is said.', 'Names are looked up as this system does.', false),
  ],
  [
    '-0 --http1.0 --http2 --http2-prior-knowledge --http3 --http3-only -4 --ipv4 -6 --ipv6 -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --ssl-reqd --http0.9 --ssl -2 --sslv2 -3 --sslv3 --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-revoke-best-effort --no-alpn --no-npn --no-sessionid --false-start --cert-status --ca-native --tls-earlydata',
    protocol(false),
  ],
  [
    '-a --append -l --list-only -B --use-ascii --compressed-ssh --disable-eprt --disable-epsv --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control --mail-rcpt-allowfails --metalink --tftp-no-options',
    nothing,
  ],
  [
    '--ftp-account --ftp-alternative-to-user --ftp-method -P --ftp-port --ftp-ssl-ccc-mode --hostpubmd5 --hostpubsha256 --mail-auth --mail-from --mail-rcpt --pubkey -Q --quote -t --telnet-option --tftp-blksize',
    output,
  ],
  [
    '--post301 --post302 --post303',
    none('A redirect is followed with the method of the request.', 'It is followed as browsers follow it.', false),
  ],
  ['--tr-encoding', none('Packed transfers are asked for.', 'It was left out; --compressed packs contents.', false)],
  ['--crlf', none('Line ends of what is sent are changed.', 'It is sent as it is.', false)],
  ['--form-escape', none('Names of parts are escaped with a backslash.', 'They are escaped as browsers do it.', false)],
  [
    '--ignore-content-length --disallow-username-in-url',
    none('An answer or an address is to be read otherwise.', 'It was left out.', false),
  ],
  ['--proto-default', none('Another protocol is asked for where the address says none.', 'It was left out: http is meant.')],
  ['--variable --ipfs-gateway --upload-flags', none('A value is set that other options are filled in with.', 'It was left out.')],
  ['-K --config', none('More options stand in a file.', 'The file is not read: write its options out.')],
  [
    '-C --continue-at -z --time-cond --request-target --etag-compare',
    none('A part of the address’s content is asked for, depending on what is there.', 'All of it is asked for.'),
  ],
);
