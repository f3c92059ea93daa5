/** What nginx keeps, and how it says so. */
export interface CacheSettings {
  readonly cache: string;
  readonly isCold: boolean;
  readonly directory: string;
  readonly site: string;
  readonly practice: string;
  readonly proxyTimeoutMs: number;
}

/** The configuration of nginx in front of the school site: `http` and `server`, see NginxSettings. */
export function cacheConfiguration(settings: CacheSettings): { readonly http: string; readonly server: string } {
  const { cache, isCold, directory, site, practice, proxyTimeoutMs } = settings;
  const http =
    cache === 'off' ? '' : `  proxy_cache_path "${directory}" levels=1:2 keys_zone=school:10m max_size=200m inactive=1h use_temp_path=off;`;
  const key = cache === 'per-user' ? '$uri$is_args$args$cookie___ac' : '$uri$is_args$args';
  const keep = (by: string): string => `
      proxy_cache school;
      proxy_cache_key "${by}";
      proxy_cache_valid 200 10m;${isCold ? '\n      proxy_cache_bypass 1;\n      proxy_no_cache 1;' : ''}`;
  const pass = `
      proxy_pass http://${site};
      proxy_read_timeout ${Math.round(proxyTimeoutMs)}ms;
      proxy_set_header Host $http_host;
      proxy_pass_header Date;
      add_header X-Cache $upstream_cache_status always;`;
  const server = `
    location / {${pass}
    }
    location /@@practice/ {${pass.replace(site, practice)}
    }
    location ~ \\.cnxmlplus$ {${cache === 'off' ? '' : keep(key)}${cache === 'shared' ? '\n      ssi on;' : ''}${pass}
    }
    location ^~ /++resource++ {${cache === 'off' ? '' : keep('$uri')}${pass}
    }
    location = /@@toolbar { log_subrequest off;${pass}
    }`;
  return { http, server };
}
