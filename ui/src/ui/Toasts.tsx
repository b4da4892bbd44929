// Where short messages appear.
import { CircleCheck, Info, OctagonAlert, X } from 'lucide-react';
import { classes } from '../util/className';
import { IconButton } from './IconButton';
import { dismissToast, useToasts } from './toasts';
import css from './Toasts.module.css';

const ICONS = { good: CircleCheck, bad: OctagonAlert, neutral: Info };

export function Toasts() {
  const toasts = useToasts();
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {toasts.map((toast) => {
        const Icon = ICONS[toast.tone];
        return (
          <div key={toast.id} className={classes(css.toast, css[toast.tone])}>
            <Icon size={16} aria-hidden="true" className={css.icon} />
            <div className={css.words}>
              <p className={css.title}>{toast.title}</p>
              {toast.detail && <div className={css.detail}>{toast.detail}</div>}
            </div>
            <IconButton label="Dismiss" icon={<X size={14} />} onClick={() => dismissToast(toast.id)} />
          </div>
        );
      })}
    </div>
  );
}
