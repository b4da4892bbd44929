// Mounts the page; nothing else.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { newQueryClient } from './api/queryClient';
import { newRouter } from './routes';
import './theme/tokens.css';
import './theme/base.css';
import { applyTheme, currentTheme } from './theme/theme';
import { TooltipProvider } from './ui/Tooltip';
import { watchStyles } from './util/reload';

applyTheme(currentTheme());
watchStyles();

const client = newQueryClient();
const router = newRouter(client);
const host = document.getElementById('root');
if (!host) throw new Error('index.html has no element with the id root');

createRoot(host).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <TooltipProvider delayDuration={300}>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
