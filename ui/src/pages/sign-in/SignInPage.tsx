// The way in: a one-time code from the address, a token, or an identity provider if the desk has one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { signIn } from '../../api/commands';
import { sessionQuery, waysQuery } from '../../api/queries';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Logo } from '../../components/shell/Logo';
import { Button } from '../../ui/Button';
import { Copyable } from '../../ui/Copyable';
import { TextField } from '../../ui/Field';
import { codeInAddress, safeDestination } from './address';
import css from './SignInPage.module.css';

const route = getRouteApi('/sign-in');

export default function SignInPage() {
  const search = route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const [code] = useState(() => codeInAddress(location.search, location.hash));
  const { data: ways } = useQuery(waysQuery);
  const tried = useRef(false);
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      router.history.replace(safeDestination(search.to));
    },
  });
  const { mutate } = enter;
  useEffect(() => {
    if (!code || tried.current) return;
    tried.current = true;
    // The code counts once; it has no business in the history of the browser.
    history.replaceState(history.state, '', '/sign-in');
    mutate({ code });
  }, [code, mutate]);
  return (
    <main className={css.page}>
      <div className={css.card}>
        <div className={css.brand}>
          <Logo />
          <h1>Drover</h1>
        </div>
        <p className={css.lead}>Decide where workloads run, and see what would happen first.</p>
        {ways?.identityProvider && (
          <a href="/login/oidc" className={css.provider}>
            Sign in with {ways.identityProvider}
          </a>
        )}
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (token.trim()) mutate({ token: token.trim() });
          }}
        >
          {/* Keepers of passwords want a name beside each; a token has none. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            className="visually-hidden"
            tabIndex={-1}
            aria-hidden="true"
            readOnly
            value="drover"
          />
          <TextField
            label="Token"
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
            help="Yours alone; it stays in this form and is kept nowhere in the browser."
          />
          {enter.error && <ErrorNotice error={enter.error} />}
          <Button
            type="submit"
            look="primary"
            busy={enter.isPending}
            icon={<LogIn size={15} aria-hidden="true" />}
          >
            {enter.isPending ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        <div className={css.help}>
          <p>No token? An admin of this desk makes one:</p>
          <Copyable block text="drover token create --name anna --role operator" />
        </div>
      </div>
    </main>
  );
}
