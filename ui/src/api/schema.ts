// Generated from ../../../openapi.json by `npm run schema`; not to be edited.

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everybody who recommends, and what became of it in this run */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent with its parameters and last decisions */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent decided, newest first; a short or empty page need not be the last */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent asked models last, newest first, and what came of it */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}/questions/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One question with everything that was sent and came back */
        get: operations["getQuestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Entries of the record */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole record, one JSON line per entry */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether every entry is what it was when it was written */
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything the desk keeps, as it is at one moment: a SQLite file, checked and complete */
        get: operations["takeBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let virtual time run, stand still, go faster, or go on for a while */
        post: operations["setClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All clusters as they were last observed */
        get: operations["listClusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{cluster}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One cluster with its pools and nodes */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer several recommendations at once */
        post: operations["decideMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happens, as it happens; Last-Event-ID takes it up again without a gap, and a stream.reset event says that this is not possible */
        get: operations["watchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was carried out last, newest first */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far one recommendation has been carried out */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give it up; the world takes back what it can */
        post: operations["abortExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Propose the way back; it is approved like any other plan */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/freezes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What stands still now */
        get: operations["listFreezes"];
        put?: never;
        /** Stop everything, a cluster, a namespace, a workload or an agent */
        post: operations["freeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/freezes/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let it go on; what was granted to rules there goes back to people */
        post: operations["liftFreeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What every plan is held to, and who has to be asked */
        get: operations["getGuardrails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the clusters stood over time in the run that goes on now */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comparisons since the desk was opened, newest first; the oldest that are over go */
        get: operations["listComparisons"];
        put?: never;
        /** Simulate strategies on the same scenario and seeds; a single one with one seed is simply a run */
        post: operations["startComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/comparisons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One comparison, with its results when it is done */
        get: operations["getComparison"];
        put?: never;
        post?: never;
        /** Cancel a comparison that waits or runs, or forget one that is over */
        delete: operations["dismissComparison"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/comparisons/{id}/figures/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A drawing of what a comparison showed */
        get: operations["getComparisonFigure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/comparisons/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All numbers, byte for byte what `drover compare --json` prints */
        get: operations["getComparisonResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scenarios that can be tried, the one that runs here first */
        get: operations["listLabScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/strategies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Strategies that can be tried */
        get: operations["listLabStrategies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What agents learned, newest first, without the bytes */
        get: operations["listModels"];
        put?: never;
        /** Keep something learned; the same bytes again stay as they were described first */
        post: operations["addModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of them with its bytes */
        get: operations["getModel"];
        put?: never;
        post?: never;
        /** Forget one of them */
        delete: operations["removeModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who answers where */
        get: operations["getModes"];
        /** Say who answers for an agent or in a part of the federation */
        put: operations["setMode"];
        post?: never;
        /** Take back who answers for an agent or in a part; what holds without it holds again */
        delete: operations["clearMode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What carrying out several pending recommendations together would bring */
        post: operations["previewTogether"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Recommendations, filtered and sorted by the server */
        get: operations["listRecommendations"];
        put?: never;
        /** Put plans on the desk: an agent in its own name, a person in theirs */
        post: operations["propose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything a person needs to decide; the answer carries an ETag */
        get: operations["getRecommendation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve, reject or defer exactly the plan that was read */
        post: operations["decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations/{id}/target": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new plan with another target out of this one */
        post: operations["changeTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs of this desk, newest first */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who one is, what one may do, and what a page sends along with changes */
        get: operations["whoAmI"];
        put?: never;
        /** Open a browser's session with a one-time code or a token; the answer sets a cookie */
        post: operations["signIn"];
        /** End the session */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/ways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people can sign in */
        get: operations["listWaysIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End every session of somebody at once, however they signed in; their tokens go on counting */
        delete: operations["signOutSomebody"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the federation looked like, by the hash that the record names */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the desk and its federation stand */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tokens without their secrets, ended ones too, newest first */
        get: operations["listTokens"];
        put?: never;
        /** Make a token; its secret is in the answer and nowhere else */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a token, and every session that was opened with it */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is told what happens, and how that goes */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{name}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one of them was told or is to be told, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{name}/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try again what was given up */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one of them a message that only shows whether messages arrive */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workloads as they were last observed */
        get: operations["listWorkloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{kind}/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One workload with its placements */
        get: operations["getWorkload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the list that WASP's engine sends: all that an agent wants now */
        post: operations["applyList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Go to the identity provider to sign in */
        get: operations["beginLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Come back from the identity provider; the answer sets a cookie */
        get: operations["finishLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Numbers for Prometheus, about the desk and under the names of kube-state-metrics about its clusters */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the desk can read and write */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wasp/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the list that WASP's engine sends: all that an agent wants now */
        post: operations["applyWaspList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wasp/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest snapshot as WASP's monitor shows it */
        get: operations["getWaspMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What would be done, with the state it starts from. */
        ActionWish: {
            from: string;
            /** @constant */
            kind: "migrate";
            /**
             * Format: uint32
             * @description How many there are now.
             */
            replicas: number;
            to: string;
            /** @description As `namespace/name`, a Deployment, or `kind/namespace/name`. */
            workload: string;
        } | {
            cluster: string;
            from: components["schemas"]["SpotWish"];
            /** @constant */
            kind: "move";
            to: components["schemas"]["SpotWish"];
            workload: string;
        } | {
            cluster: string;
            /** Format: uint32 */
            from: number;
            /** @constant */
            kind: "scale";
            /** Format: uint32 */
            to: number;
            workload: string;
        } | {
            cluster: string;
            /** Format: uint32 */
            from: number;
            /** @constant */
            kind: "resize_pool";
            pool: string;
            /** Format: uint32 */
            to: number;
        } | {
            cluster: string;
            /** @constant */
            kind: "hold";
            workload: string;
        };
        /** @description An agent with everything that is known about it. */
        AgentDetail: {
            /** @description How much of what is limited by the hour is used up now. */
            budgets: components["schemas"]["BudgetItem"][];
            /** @description What it decided last, newest first. */
            decisions: components["schemas"]["DecisionItem"][];
            /**
             * Format: uint64
             * @description Inside: how often, in milliseconds of the federation's own time.
             */
            every?: number | null;
            /** @description Whether somebody froze it, or everything. */
            frozen: boolean;
            /** @description Whether it decides inside the desk; others propose from outside. */
            inside: boolean;
            /**
             * Format: uint64
             * @description Inside: how far back it sees, in milliseconds.
             */
            lookback?: number | null;
            name: string;
            /** @description Inside: its strategy with all parameters. */
            parameters?: unknown;
            /** @description Recommendations of this run by stage; stages without any are left out. */
            recommendations: {
                [key: string]: number;
            };
            /** @description Inside: the part of the federation that it may touch. */
            scope?: components["schemas"]["ScopeItem"] | null;
            /** @description Inside: how it decides. */
            strategy?: string | null;
            trackRecord?: components["schemas"]["TrackRecordItem"] | null;
        };
        /** @description An agent in short. */
        AgentItem: {
            /**
             * Format: uint64
             * @description Inside: how often, in milliseconds of the federation's own time.
             */
            every?: number | null;
            /** @description Whether somebody froze it, or everything. */
            frozen: boolean;
            /** @description Whether it decides inside the desk; others propose from outside. */
            inside: boolean;
            name: string;
            /** @description Recommendations of this run by stage; stages without any are left out. */
            recommendations: {
                [key: string]: number;
            };
            /** @description Inside: how it decides. */
            strategy?: string | null;
            trackRecord?: components["schemas"]["TrackRecordItem"] | null;
        };
        /** @description Something that can be done with a recommendation. */
        AllowedItem: {
            allowed: boolean;
            /** @description Why it is not. */
            because?: string | null;
            deed: components["schemas"]["Deed"];
        };
        AlternativeItem: {
            option: string;
            rejectedBecause: string;
        };
        /** @description Something else that was looked at. */
        AlternativeWish: {
            option: string;
            rejectedBecause: string;
        };
        Amounts: {
            /** Format: double */
            cpuCores: number;
            /** Format: uint64 */
            memoryBytes: number;
            /** Format: uint64 */
            pods: number;
        };
        ApproverItem: {
            /** Format: uint32 */
            people: number;
            rule: string;
        };
        /** @description One strategy. */
        ArmItem: {
            /** Format: uint */
            completed: number;
            /** @description Null if no run was completed. */
            course: components["schemas"]["CourseItem"] | null;
            /** Format: uint */
            failed: number;
            name: string;
            /** Format: uint */
            timedOut: number;
        };
        /** @description An entry of the record. */
        AuditEntry: {
            actor: string;
            /** Format: int64 */
            at: number;
            /** Format: int64 */
            atWall: number;
            /** @description Exactly as it was written, because the hash is about its characters. */
            body: unknown;
            /** @description Over this entry and all before it. */
            hash: string;
            kind: string;
            run?: string | null;
            /** Format: int64 */
            seq: number;
            subject: string;
            /** @description What whoever did it showed: token:T-1c9f2b7a40de, session:S-8d1c20f7a3b4, one-time link or oidc. Entries of older versions have none. */
            via?: string | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            nextCursor?: string | null;
            /** Format: int64 */
            total: number;
        };
        AuditQuery: {
            /** @description Who: person:anna, agent:keep-headroom, world … */
            actor?: string | null;
            /** @description Oldest first. */
            ascending?: boolean | null;
            cursor?: string | null;
            /**
             * Format: int64
             * @description Written at this moment or later, in milliseconds since 1970.
             */
            from?: number | null;
            /** @description One or several kinds, with commas: reviewed,ordered */
            kind?: string | null;
            /** Format: uint32 */
            limit?: number | null;
            run?: string | null;
            /** @description What it was done to: R-42 … */
            subject?: string | null;
            /**
             * Format: int64
             * @description Written before this moment, in milliseconds since 1970.
             */
            until?: number | null;
        };
        Batch: {
            /**
             * Format: uint64
             * @description With defer: for how many seconds of the federation's own time.
             */
            deferSeconds?: number | null;
            items: components["schemas"]["BatchItem"][];
            /** @description Why; a rejection must say it. */
            note?: string | null;
            verdict: components["schemas"]["DecisionVerdict"];
        };
        BatchItem: {
            id: string;
            /** @description The `planHash` that was read. */
            planHash: string;
            /**
             * Format: int64
             * @description The `version` that was read.
             */
            version: number;
        };
        /** @description What became of one of them. */
        BatchResult: {
            id: string;
            problem?: components["schemas"]["Problem"] | null;
            recommendation?: components["schemas"]["RecommendationItem"] | null;
        };
        BeginQuery: {
            /** @description Where to go afterwards: a path of this desk. */
            back?: string | null;
        };
        /** @enum {string} */
        BetterWay: "lower" | "higher" | "neither";
        /** @description A number that may be used up within an hour of the federation's own time. */
        BudgetItem: {
            /** @description moves_per_hour, the guardrail that counts everybody's moves; or grant, what may pass of this agent without a person. */
            limit: components["schemas"]["BudgetWord"];
            /** Format: uint32 */
            most: number;
            name?: string | null;
            /** @description Of a grant: where it counts. */
            scope?: string | null;
            /**
             * Format: uint64
             * @description Of a grant: when it ends.
             */
            until?: number | null;
            /** Format: uint32 */
            used: number;
        };
        /** @enum {string} */
        BudgetWord: "moves_per_hour" | "grant";
        /** @description One call to one model. */
        CallItem: {
            /** @description The key under which the answer is on a cassette. */
            key: string;
            /** Format: uint32 */
            maxTokens: number;
            /** @description What was sent, in detail only. */
            messages?: components["schemas"]["MessageItem"][] | null;
            model: string;
            /** @description Nothing while it waits. */
            reply?: components["schemas"]["ReplyItem"] | null;
            /** @description Who was asked, as people know it: decider, performance, consolidator. */
            role: string;
            /** @description The shape that was asked for, in detail only. */
            schema?: unknown;
            /**
             * Format: uint64
             * @description How many characters were sent.
             */
            sentCharacters: number;
            /** Format: double */
            temperature?: number | null;
        };
        CheckItem: {
            /** @description Why it does not. */
            because?: string | null;
            holds: boolean;
            /** @description What should hold. */
            rule: string;
        };
        ClockWish: {
            order: components["schemas"]["ClockWord"];
            /**
             * Format: double
             * @description With advance: for how many virtual seconds.
             */
            seconds?: number | null;
            /**
             * Format: double
             * @description With speed: virtual seconds in a real one.
             */
            speed?: number | null;
            /**
             * Format: double
             * @description With speed: the same while somebody has something to decide.
             */
            speedWhileWaiting?: number | null;
        };
        /** @enum {string} */
        ClockWord: "run" | "pause" | "speed" | "advance";
        ClusterChange: {
            cluster: string;
            /** Format: double */
            loadAfter: number;
            /** Format: double */
            loadBefore: number;
            /** Format: uint32 */
            pendingAfter: number;
            /** Format: uint32 */
            pendingBefore: number;
            /** @description What becomes of the workload that the action is about; absent if there is none, and in records from before this was kept. */
            workload?: components["schemas"]["WorkloadChange"] | null;
        };
        /** @description One cluster; a value is null where it was not seen. */
        ClusterCourse: {
            allocatedCpu: (number | null)[];
            allocatedMemory: (number | null)[];
            /** @description Cores. */
            capacityCpu: (number | null)[];
            /** @description Bytes. */
            capacityMemory: (number | null)[];
            /** @description Dollars. */
            costPerHour: (number | null)[];
            name: string;
            nodes: (number | null)[];
            podsPending: (number | null)[];
            requestedCpu: (number | null)[];
            requestedMemory: (number | null)[];
            usedCpu: (number | null)[];
            usedMemory: (number | null)[];
            watts: (number | null)[];
        };
        /** @description A cluster with its pools and nodes. */
        ClusterDetail: {
            /** @description Requests of pods that have a node. */
            allocated: components["schemas"]["Amounts"];
            autoscaled: boolean;
            /** @description Usable by workloads on ready nodes, in cores and bytes. */
            capacity: components["schemas"]["Amounts"];
            /** Format: double */
            costPerHour: number;
            /** @description Why it could not be seen, if it could not, and the last time it was. */
            hiddenBecause?: string | null;
            /** Format: uint64 */
            lastSeenAt?: number | null;
            /**
             * Format: double
             * @description The fuller of CPU and memory.
             */
            load: number;
            name: string;
            nodeList: components["schemas"]["NodeItem"][];
            /** Format: uint */
            nodes: number;
            /** Format: uint32 */
            nodesBooting: number;
            /** Format: uint64 */
            observedAt: number;
            /** Format: uint32 */
            podsPending: number;
            pools: components["schemas"]["PoolItem"][];
            /** @description Requests of all pods. */
            requested: components["schemas"]["Amounts"];
            /** @description Measured signals by name. */
            signals: {
                [key: string]: components["schemas"]["SignalItem"];
            };
        };
        /** @description A cluster in short. */
        ClusterItem: {
            /** @description Requests of pods that have a node. */
            allocated: components["schemas"]["Amounts"];
            autoscaled: boolean;
            /** @description Usable by workloads on ready nodes, in cores and bytes. */
            capacity: components["schemas"]["Amounts"];
            /** Format: double */
            costPerHour: number;
            /** @description Why it could not be seen, if it could not, and the last time it was. */
            hiddenBecause?: string | null;
            /** Format: uint64 */
            lastSeenAt?: number | null;
            /**
             * Format: double
             * @description The fuller of CPU and memory.
             */
            load: number;
            name: string;
            /** Format: uint */
            nodes: number;
            /** Format: uint32 */
            nodesBooting: number;
            /** Format: uint32 */
            podsPending: number;
            /** @description Requests of all pods. */
            requested: components["schemas"]["Amounts"];
            /** @description Measured signals by name. */
            signals: {
                [key: string]: components["schemas"]["SignalItem"];
            };
        };
        /** @description A comparison without its results. */
        ComparisonDetail: {
            baseline: string;
            cells: components["schemas"]["RunCounts"];
            /** @description What gives the same results on a command line. */
            command: string;
            /** Format: int64 */
            endedWall?: number | null;
            id: string;
            /** @description Null until it is done. */
            results: components["schemas"]["ComparisonResults"] | null;
            scenario: string;
            /** Format: uint */
            seeds: number;
            startedBy: string;
            /** Format: int64 */
            startedWall: number;
            state: components["schemas"]["ComparisonState"];
            strategies: string[];
            /** @description Why it failed. */
            why?: string | null;
        };
        /** @description A comparison without its results. */
        ComparisonItem: {
            baseline: string;
            cells: components["schemas"]["RunCounts"];
            /** @description What gives the same results on a command line. */
            command: string;
            /** Format: int64 */
            endedWall?: number | null;
            id: string;
            scenario: string;
            /** Format: uint */
            seeds: number;
            startedBy: string;
            /** Format: int64 */
            startedWall: number;
            state: components["schemas"]["ComparisonState"];
            strategies: string[];
            /** @description Why it failed. */
            why?: string | null;
        };
        /** @description What a comparison showed. */
        ComparisonResults: {
            /** @description The strategies, in the order of every row. */
            arms: components["schemas"]["ArmItem"][];
            baseline: string;
            /** @description What limits all of it. */
            caveats: string[];
            /** @description What may be claimed, sentence by sentence. */
            conclusions: string[];
            figures: components["schemas"]["FigureItem"][];
            rows: components["schemas"]["MetricItem"][];
            /** @description Whether nothing can be claimed about other seeds. */
            tooFewSeeds: boolean;
        };
        /** @description How far a comparison is. */
        ComparisonState: ("running" | "done") | "waiting" | "cancelled" | "failed" | "interrupted";
        /** @description What somebody wants to know: these strategies on the same scenario and seeds. */
        ComparisonWish: {
            /** @description The strategy that the others are compared with; the first by default. */
            baseline?: string | null;
            scenario: string;
            /**
             * Format: uint64
             * @description How many seeds: 1, 2, 3 and so on up to this.
             */
            seeds: number;
            strategies: string[];
        };
        /** @description How it went over time: the mean over all completed runs, at equal steps. */
        CourseItem: {
            /** @description CPU requested by placed pods as a share of all capacity. */
            cpuLoad: number[];
            nodes: number[];
            pendingPods: number[];
            /** Format: double */
            stepSeconds: number;
        };
        DecidedQuery: {
            cursor?: string | null;
            /** Format: uint32 */
            limit?: number | null;
            /** @description Only decisions of which something came: something new, refused or disregarded, or somebody else who decided. */
            telling?: boolean | null;
            /**
             * Format: int64
             * @description At this moment of the federation's own time or before, in milliseconds.
             */
            until?: number | null;
        };
        /** @description An answer. */
        Decision: {
            /**
             * Format: uint64
             * @description With defer: for how many seconds of the federation's own time.
             */
            deferSeconds?: number | null;
            /** @description Why; a rejection must say it. */
            note?: string | null;
            /** @description The `planHash` of what was read: an answer to anything else does not count. */
            planHash: string;
            verdict: components["schemas"]["DecisionVerdict"];
        };
        /** @description One decision, doing nothing included. */
        DecisionItem: {
            /** Format: int64 */
            at: number;
            /** Format: int64 */
            atWall: number;
            /** Format: uint64 */
            batch: number;
            /** @description What models said and the agent did not take over. */
            disregarded?: components["schemas"]["FaultItem"][];
            /** @description Why it did nothing, if it did nothing. */
            held?: string | null;
            /** @description Who decided because no model did, and why. */
            instead?: components["schemas"]["InsteadItem"] | null;
            /**
             * Format: uint32
             * @description Asked for what waited already.
             */
            kept: number;
            /** @description What the guardrails did not let through, and why. */
            refused: components["schemas"]["RefusedItem"][];
            /**
             * Format: int64
             * @description The entry of the record.
             */
            seq: number;
            /** @description The hash of the newest snapshot that it saw; the snapshot is kept as long as the desk keeps them. */
            snapshot?: string | null;
            /**
             * Format: int64
             * @description The entry of the record that tells of that observation.
             */
            snapshotSeq?: number | null;
            /** Format: uint32 */
            submitted: number;
        };
        /** @description Decisions, newest first, and where to go on. */
        DecisionPage: {
            items: components["schemas"]["DecisionItem"][];
            /** @description The record is searched a piece at a time: as long as there is one, older decisions may follow, even after none. */
            nextCursor?: string | null;
        };
        /** @enum {string} */
        DecisionVerdict: "approve" | "reject" | "defer";
        /** @enum {string} */
        Deed: "approve" | "reject" | "defer" | "change_target" | "abort" | "roll_back";
        /** @description One event on its way to one webhook. */
        DeliveryItem: {
            /**
             * Format: int64
             * @description How often it was tried.
             */
            attempts: number;
            /** Format: int64 */
            changedWall: number;
            /** @description The `Webhook-Id` of its messages. */
            id: string;
            /** @description What went wrong the last time. */
            lastError?: string | null;
            /**
             * Format: int64
             * @description While it waits: when it is tried next, in milliseconds since 1970.
             */
            nextWall?: number | null;
            /**
             * Format: int64
             * @description The entry of the record that it tells of.
             */
            seq: number;
            /** @description waiting, delivered or dead. */
            state: string;
            type: string;
        };
        DeliveryPage: {
            items: components["schemas"]["DeliveryItem"][];
            /** @description To be given back as `cursor` for the next page; absent on the last. */
            nextCursor?: string | null;
        };
        DeliveryQuery: {
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /**
             * Format: uint32
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
            /** @description waiting, delivered or dead; all by default. */
            state?: components["schemas"]["DeliveryState"] | null;
        };
        /** @enum {string} */
        DeliveryState: "waiting" | "delivered" | "dead";
        DraftOutcome: "refused" | "accepted" | "kept";
        /** @description What became of one draft. */
        DraftResult: {
            /** @description The recommendation that stands on the desk for it. */
            id?: string | null;
            outcome: components["schemas"]["DraftOutcome"];
            /** @description Why it was refused. */
            problem?: components["schemas"]["Problem"] | null;
        };
        DraftWish: {
            action: components["schemas"]["ActionWish"];
            /** @description Of an agent: what else it looked at. */
            alternatives?: components["schemas"]["AlternativeWish"][];
            /** @description Of an agent: the facts it rests on. */
            evidence?: components["schemas"]["EvidenceWish"][];
            /** @description Why, in a sentence for a person. */
            reason: string;
            /** @description Of a person: the recommendation that it would take back, such as R-42. It was carried out, and the action leads exactly back. */
            undoes?: string | null;
        };
        EstimateItem: {
            /** Format: double */
            high: number;
            /** Format: double */
            low: number;
            /** Format: double */
            mean: number;
        };
        EventQuery: {
            /** @description The id of the last event that was seen, 0-0 for none; the header Last-Event-ID says the same. From now on by default. */
            after?: string | null;
            /** @description Beginnings of event types, with commas: recommendation,execution */
            topics?: string | null;
        };
        EvidenceItem: {
            limit?: string | null;
            signal: string;
            subject: string;
            value: string;
        };
        /** @description A fact that a plan rests on. */
        EvidenceWish: {
            /** @description What it is measured against. */
            limit?: string | null;
            /** @description What was measured. */
            signal: string;
            /** @description What it is about: a cluster, a workload. */
            subject: string;
            value: string;
        };
        /** @description Something that is or was carried out. */
        ExecutionItem: {
            action: string;
            /** Format: int64 */
            begunAt?: number | null;
            /** Format: int64 */
            endedAt?: number | null;
            /** @description That of its recommendation. */
            id: string;
            /** @description How its prediction turned out. */
            score?: unknown;
            stage: string;
            steps: components["schemas"]["StepItem"][];
        };
        ExecutionPage: {
            items: components["schemas"]["ExecutionItem"][];
            /** @description To be given back as `cursor` for the next page; absent on the last. */
            nextCursor?: string | null;
            /**
             * Format: int64
             * @description All of them, on whatever page.
             */
            total: number;
        };
        ExecutionQuery: {
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /**
             * Format: uint32
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
            /** @description One or several, with commas: applying,failed */
            stage?: string | null;
        };
        /** @description Something that was wrong with an answer. */
        FaultItem: {
            kind: components["schemas"]["FaultWord"];
            role: string;
            text: string;
        };
        /** @enum {string} */
        FaultWord: "no_answer" | "form" | "cut" | "invented_id" | "wrong_number" | "contradiction" | "limit";
        /** @description One field that is wrong. */
        FieldProblem: {
            /** @description Where, as a path: `hash` or `drafts[2].action.to`. */
            field: string;
            message: string;
            /** @description What to write instead. */
            proposal?: string | null;
        };
        /** @description A drawing that is found under its name. */
        FigureItem: {
            /** @description What there is to see, for people who cannot see it. */
            description: string;
            name: string;
            /** @description How to read it. */
            note: string;
            title: string;
        };
        /** @description A new freeze, and what whoever asked for it should know. */
        FreezeAnswer: {
            by: string;
            /** @description `F-3`. */
            id: string;
            name?: string | null;
            /** @description For instance that nobody sees such a workload now. */
            notes?: string[];
            reason: string;
            /** @description everything, cluster, namespace, workload or agent. */
            scope: string;
            /** Format: uint64 */
            since: number;
            /** Format: uint64 */
            until?: number | null;
        };
        FreezeItem: {
            by: string;
            /** @description `F-3`. */
            id: string;
            name?: string | null;
            reason: string;
            /** @description everything, cluster, namespace, workload or agent. */
            scope: string;
            /** Format: uint64 */
            since: number;
            /** Format: uint64 */
            until?: number | null;
        };
        FreezeWish: {
            /** @description Which cluster, namespace, workload (namespace/name) or agent. */
            name?: string | null;
            /** @description Why; everybody sees it. */
            reason: string;
            scope: components["schemas"]["ScopeWord"];
            /**
             * Format: uint64
             * @description For how many seconds of the federation's own time; until somebody lifts it by default.
             */
            seconds?: number | null;
        };
        /** @description What every plan is held to, and who has to be asked. It stands in the files of the desk and its scenario. */
        Guardrails: {
            /** @description What needs more than one person. */
            approvers: components["schemas"]["ApproverItem"][];
            limits: components["schemas"]["LimitItem"][];
            /** @description Whether people may approve plans that they made or changed themselves. */
            ownPlans: boolean;
            /** @description What passes without a person where the mode is `rules`. */
            passes: components["schemas"]["PassItem"][];
            /** @description Whether effects are predicted before anybody is asked. */
            predicts: boolean;
        };
        /** @description The clusters over time, in the federation's own time. */
        HistoryItem: {
            /** @description Moments, in milliseconds since the beginning of the run. */
            at: number[];
            clusters: components["schemas"]["ClusterCourse"][];
        };
        HistoryQuery: {
            /** @description Only this cluster; all of them by default. */
            cluster?: string | null;
            /**
             * Format: uint64
             * @description From this moment on, in milliseconds of the federation's own time; its beginning by default.
             */
            from?: number | null;
            /**
             * Format: uint
             * @description How many at most; 300 by default.
             */
            points?: number | null;
            /**
             * Format: uint64
             * @description Up to this moment; now by default.
             */
            to?: number | null;
        };
        /** @description Somebody who decided where a model could not. */
        InsteadItem: {
            /** @description The name of a strategy, or votes. */
            by: string;
            why: string;
        };
        /** @description A new token. Its secret is shown here and never again. */
        IssuedToken: {
            createdBy: string;
            /** Format: int64 */
            createdWall: number;
            /** Format: int64 */
            expiresWall?: number | null;
            /** @description `T-4f0c…`. */
            id: string;
            /** @description The name under which its holder decides or proposes. */
            name: string;
            /** @description For instance that nobody sees such a namespace now. */
            notes?: string[];
            /** Format: int64 */
            revokedWall?: number | null;
            role: string;
            scope: components["schemas"]["ScopeItem"];
            /** @description To be sent as `Authorization: Bearer …`. */
            secret: string;
            /**
             * Format: int64
             * @description When it was last used, to the minute.
             */
            usedWall?: number | null;
        };
        /** @description The kinds of problems, each with its status and title. */
        Kind: ("unauthenticated" | "forbidden" | "not-found" | "method-not-allowed" | "plan-expired" | "plan-superseded" | "already-decided" | "frozen" | "observe-only" | "self-approval" | "conflict" | "too-large" | "unsupported-media" | "rate-limited" | "internal") | "malformed" | "validation" | "plan-stale" | "policy-denied" | "cluster-refused" | "key-reused" | "version-changed" | "condition-missing" | "too-slow" | "not-ready";
        LimitItem: {
            /** @description As it is called in the scenario: `max_load`. */
            name: string;
            /** @description What it means. */
            says: string;
            /** @description `80 %`, `10m`, `20`; absent where there is no such limit. */
            value?: string | null;
        };
        ListQuery: {
            agent?: string | null;
            /** @description On either side of the action. */
            cluster?: string | null;
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /** @description migrate, move, scale, resize_pool or hold. */
            kind?: string | null;
            /**
             * Format: uint32
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
            namespace?: string | null;
            /** @description This risk or a higher one: low, medium or high. */
            risk?: string | null;
            /** @description Another run than the one that goes on now. */
            run?: string | null;
            /** @description A text in workload, agent or reason; for whoever sees a part of the federation, in the workload only. */
            search?: string | null;
            /** @description What to sort by, with a minus for descending: -raised_at, expires_at, risk, benefit, workload, agent, stage … */
            sort?: string | null;
            /** @description One or several, with commas: pending,applying */
            stage?: string | null;
            /** @description Exactly this workload: deployment/default/frontend, or default/frontend for a Deployment. */
            workload?: string | null;
            /** @description Part of the workload's name. */
            workload_contains?: string | null;
        };
        /** @description One number with and without the plan. */
        MeasureItem: {
            difference: components["schemas"]["EstimateItem"];
            lowerIsBetter: boolean;
            /** @description What is measured: `pending_pods`, `cpu_load`, `cost_per_hour` and so on. */
            measure: string;
            /** @description Whom it is about: `federation`, a cluster or a workload. */
            subject: string;
            unit: string;
            with: components["schemas"]["EstimateItem"];
            without: components["schemas"]["EstimateItem"];
        };
        MessageItem: {
            speaker: components["schemas"]["SpeakerWord"];
            text: string;
        };
        /** @description One metric over all strategies. */
        MetricItem: {
            /** @description Null for a strategy without a value. */
            arms: (components["schemas"]["StandingItem"] | null)[];
            better: components["schemas"]["BetterWay"];
            key: string;
            label: string;
            /**
             * Format: double
             * @description What values are multiplied by before they are shown: 100 for per cent.
             */
            shownTimes: number;
            /** @description Empty for plain counts. */
            unit: string;
        };
        ModeItem: {
            agent?: string | null;
            /** @description In mode auto: how far it goes. */
            highestRisk?: string | null;
            /** @description observe, human, rules or auto. */
            mode: string;
            name?: string | null;
            /** Format: uint32 */
            perHour?: number | null;
            /** Format: uint32 */
            replicas?: number | null;
            scope: string;
            /** Format: uint64 */
            until?: number | null;
        };
        /** @description Something learned, without its bytes. */
        ModelDetail: {
            /** @description What it was trained on and how well it did. */
            card: unknown;
            /** @description Its bytes as base64. */
            content: string;
            createdBy: string;
            /** Format: int64 */
            createdWall: number;
            /** @description The SHA-256 of its bytes. */
            hash: string;
            kind: string;
            name: string;
            /**
             * Format: int64
             * @description In bytes.
             */
            size: number;
        };
        /** @description Something learned, without its bytes. */
        ModelItem: {
            /** @description What it was trained on and how well it did. */
            card: unknown;
            createdBy: string;
            /** Format: int64 */
            createdWall: number;
            /** @description The SHA-256 of its bytes. */
            hash: string;
            kind: string;
            name: string;
            /**
             * Format: int64
             * @description In bytes.
             */
            size: number;
        };
        ModelWish: {
            /**
             * @description What it was trained on and how well it did: any object.
             * @default {}
             */
            card?: {
                [key: string]: unknown;
            };
            /** @description Its bytes as base64, up to 8 MiB of them. */
            content: string;
            /** @description What it is: tree-ensemble, onnx, table … */
            kind: string;
            name: string;
        };
        /** @description Which mode is meant. */
        ModeName: {
            /** @description Whose recommendations; left out for a mode that counts for everybody's. */
            agent?: string | null;
            name?: string | null;
            reason: string;
            scope: components["schemas"]["ScopeWord"];
        };
        /** @description Who answers where. */
        Modes: {
            /** @description How far that goes, if it is auto. */
            limits?: components["schemas"]["ModeItem"] | null;
            /** @description After a change: what whoever asked for it should know, for instance that nobody sees such a workload now. */
            notes?: string[];
            /** @description Where nothing else is set. */
            otherwise: string;
            settings: components["schemas"]["ModeItem"][];
        };
        ModeWish: {
            /** @description Whose recommendations; everybody's by default. */
            agent?: string | null;
            /** @description With auto, which needs it: the highest risk that passes. */
            highestRisk?: components["schemas"]["RiskWord"] | null;
            mode: components["schemas"]["ModeWord"];
            name?: string | null;
            /**
             * Format: uint32
             * @description With auto: actions of one agent within an hour. It needs this or `seconds`.
             */
            perHour?: number | null;
            reason: string;
            /**
             * Format: uint32
             * @description With auto: replicas, or nodes of a pool, that one action may change.
             */
            replicas?: number | null;
            scope: components["schemas"]["ScopeWord"];
            /**
             * Format: uint64
             * @description With auto: for how many seconds of the federation's own time. It needs this or `perHour`.
             */
            seconds?: number | null;
        };
        /** @enum {string} */
        ModeWord: "observe" | "human" | "rules" | "auto";
        NewTarget: {
            planHash: string;
            reason?: string | null;
            /** @description The cluster that it should go to instead. */
            to: string;
        };
        NodeItem: {
            allocated: components["schemas"]["Amounts"];
            capacity: components["schemas"]["Amounts"];
            name: string;
            pool: string;
            schedulable: boolean;
        };
        /** @description What one language model, or one of several, said about it. */
        OpinionItem: {
            /** @description In which role it was asked: performance, consolidator … */
            by: string;
            model: string;
            /**
             * Format: double
             * @description How sure it says it is, from 0 to 1.
             */
            strength?: number | null;
            verdict: components["schemas"]["OpinionVerdict"];
            /**
             * Format: uint32
             * @description How much it counts, in relation to the others.
             */
            weight: number;
            /** @description Its own words. Nobody has checked them. */
            words: string;
        };
        /** @enum {string} */
        OpinionVerdict: "for" | "against" | "abstained";
        /** @description Two futures side by side. */
        OutlookItem: {
            measures: components["schemas"]["MeasureItem"][];
            plans: components["schemas"]["PlanItem"][];
        };
        PassItem: {
            /** @description The name under which it approves. */
            name: string;
            rule: string;
        };
        PlacementItem: {
            cluster: string;
            /** Format: uint32 */
            pods: number;
            /** Format: uint32 */
            podsPending: number;
            /** Format: uint32 */
            podsReady: number;
            /** Format: uint32 */
            replicas: number;
        };
        /** @description What became of one plan in the rehearsals. */
        PlanItem: {
            /** Format: uint32 */
            done: number;
            /** Format: uint32 */
            failed: number;
            id: string;
            /** @description Why it failed where it did, the most frequent reason first. */
            reasons: string[];
            /** Format: uint32 */
            rolledBack: number;
            takesSeconds?: components["schemas"]["EstimateItem"] | null;
            /** Format: uint32 */
            unfinished: number;
        };
        /** @description Pods with a node, and pods that wait for one. */
        PodCount: {
            /** Format: uint32 */
            running: number;
            /** Format: uint32 */
            waiting: number;
        };
        PoolItem: {
            /** Format: uint32 */
            booting: number;
            /** Format: uint32 */
            maximum: number;
            /** Format: uint32 */
            minimum: number;
            name: string;
            nodeCapacity: components["schemas"]["Amounts"];
            /** Format: uint32 */
            nodes: number;
            /** Format: double */
            pricePerHour: number;
        };
        /** @description What carrying it out would bring, from rehearsals with and without it. */
        PredictionItem: {
            /** @description This plan and no other that is pending. */
            alone: components["schemas"]["OutlookItem"];
            /**
             * Format: double
             * @description The share of futures that should land inside an interval.
             */
            confidence: number;
            /** Format: double */
            horizonSeconds: number;
            /** @description This plan on top of everything else that is pending. */
            jointly?: components["schemas"]["OutlookItem"] | null;
            /** @description Where less was computed than was asked for, in words. */
            limitations: string[];
            /** Format: uint64 */
            madeAt: number;
            /** @description What real clusters would say to the plans if they were approved now, in their own words; nothing where they would take them. */
            objections?: string[];
            /**
             * Format: uint32
             * @description How many futures were rehearsed.
             */
            seeds: number;
            /** @description What that is. */
            togetherWith: string[];
        };
        /** @description The body of every refusal. */
        Problem: {
            code: components["schemas"]["Kind"];
            /** @description What happened this time, and what to do about it. */
            detail: string;
            errors?: components["schemas"]["FieldProblem"][];
            /** @description This one occurrence, by the `X-Request-Id` of the request: `urn:drover:request:4f2a9c01b7d3-17`. The log names it, too. */
            instance?: string | null;
            /**
             * Format: uint64
             * @description Seconds to wait first.
             */
            retry_after?: number | null;
            /** @description Whether the same request may succeed later. */
            retryable: boolean;
            /** Format: uint16 */
            status: number;
            title: string;
            /** @description A name for the kind of problem that does not change: `urn:drover:problem:plan-stale`. */
            type: string;
        };
        /** @description What became of a proposal. */
        ProposalAnswer: {
            /**
             * Format: uint64
             * @description The number that all recommendations of one agent's proposal share.
             */
            batch?: number | null;
            /** @description One for each draft, in their order. */
            results: components["schemas"]["DraftResult"][];
        };
        ProposalWish: {
            /**
             * @description Of an agent: whether this is all it wants now, so that what it proposed before and does not repeat ends.
             * @default false
             */
            complete?: boolean;
            /** @description Up to 200 of an agent, up to 20 of a person; no two of the same. */
            drafts: components["schemas"]["DraftWish"][];
        };
        /** @description One question in short. */
        QuestionItem: {
            /** Format: int64 */
            answeredAt?: number | null;
            /**
             * Format: int64
             * @description The entry of the record that tells of the answer.
             */
            answeredSeq?: number | null;
            /** @description Whether a better answer was asked for. */
            askedAgain: boolean;
            /** Format: int64 */
            at: number;
            /** Format: int64 */
            atWall: number;
            /** @description Everybody who was asked at the same time. */
            calls: components["schemas"]["CallItem"][];
            /** @description What was decided on it, if anything was. */
            decision?: components["schemas"]["DecisionItem"] | null;
            /** @description What was wrong with the answer and not taken over. */
            faults: components["schemas"]["FaultItem"][];
            /**
             * Format: uint64
             * @description Counts the questions of the agent.
             */
            number: number;
            /**
             * Format: int64
             * @description The entry of the record in which it was asked.
             */
            seq: number;
            state: components["schemas"]["QuestionState"];
        };
        QuestionState: ("waiting" | "answered") | "withdrawn";
        Reason: {
            reason: string;
        };
        /** @description Everything a person needs to decide. */
        RecommendationDetail: {
            /** @description What would be done, in words. */
            action: string;
            agent: string;
            /** @description What whoever asks may do with it now. */
            allowed: components["schemas"]["AllowedItem"][];
            alternatives: components["schemas"]["AlternativeItem"][];
            /** Format: uint32 */
            approversGiven: number;
            /**
             * Format: uint32
             * @description How many people have to say yes, and how many have.
             */
            approversNeeded: number;
            /**
             * Format: uint64
             * @description All recommendations of one decision share a batch.
             */
            batch: number;
            /**
             * Format: double
             * @description Pods that do not have to wait for a node on average, if it was predicted.
             */
            benefit?: number | null;
            /** Format: double */
            benefitHigh?: number | null;
            /**
             * Format: double
             * @description The interval in which the benefit of a single future should land.
             */
            benefitLow?: number | null;
            changedBy: string;
            /** @description What arithmetic on the newest snapshot expects of this plan alone; once it is decided, what was expected when it was made. */
            changes: components["schemas"]["ClusterChange"][];
            /** @description What every guardrail says now; empty once it is settled. */
            checks: components["schemas"]["CheckItem"][];
            /** Format: double */
            costPerHourAfter: number;
            /** Format: double */
            costPerHourBefore: number;
            /** Format: int64 */
            deferredUntil?: number | null;
            evidence: components["schemas"]["EvidenceItem"][];
            /**
             * Format: uint64
             * @description How old what it rests on was when it was proposed.
             */
            evidenceAgeMs: number;
            /** Format: int64 */
            expiresAt: number;
            from?: string | null;
            /** @description `R-42`. */
            id: string;
            /** @description Whether its effect has been predicted. */
            isPredicted: boolean;
            /** @description migrate, move, scale, resize_pool or hold. */
            kind: string;
            /** Format: uint64 */
            observedAt: number;
            /** @description What language models said about it; empty if none was asked. */
            opinions: components["schemas"]["OpinionItem"][];
            /** @description What became of it, in words. */
            outcome?: string | null;
            /** @description The hash of the plan: what an approval is bound to. */
            planHash: string;
            plannedBy?: string | null;
            /** Format: uint32 */
            podsMoved: number;
            prediction?: components["schemas"]["PredictionItem"] | null;
            /** Format: int64 */
            raisedAt: number;
            /** @description Why, in the words of whoever proposed it. Nobody has checked them. */
            reason: string;
            reviews: components["schemas"]["ReviewItem"][];
            /** @description low, medium or high; computed by code. */
            risk: string;
            riskBecause: string[];
            /** Format: int64 */
            settledAt?: number | null;
            /** @description pending, approved, rejected, expired, superseded, applying, applied, failed or rolled_back. */
            stage: string;
            to?: string | null;
            undoes?: string | null;
            /**
             * Format: int64
             * @description Grows with every change; the ETag.
             */
            version: number;
            /** @description What would undo it. */
            wayBack: string;
            workload?: string | null;
        };
        /** @description A row of the list. */
        RecommendationItem: {
            /** @description What would be done, in words. */
            action: string;
            agent: string;
            /**
             * Format: double
             * @description Pods that do not have to wait for a node on average, if it was predicted.
             */
            benefit?: number | null;
            /** Format: double */
            benefitHigh?: number | null;
            /**
             * Format: double
             * @description The interval in which the benefit of a single future should land.
             */
            benefitLow?: number | null;
            changedBy: string;
            /** Format: int64 */
            deferredUntil?: number | null;
            /** Format: int64 */
            expiresAt: number;
            from?: string | null;
            /** @description `R-42`. */
            id: string;
            /** @description Whether its effect has been predicted. */
            isPredicted: boolean;
            /** @description migrate, move, scale, resize_pool or hold. */
            kind: string;
            /** @description The hash of the plan: what an approval is bound to. */
            planHash: string;
            /** Format: int64 */
            raisedAt: number;
            /** @description Why, in the words of whoever proposed it. Nobody has checked them. */
            reason: string;
            /** @description low, medium or high; computed by code. */
            risk: string;
            /** Format: int64 */
            settledAt?: number | null;
            /** @description pending, approved, rejected, expired, superseded, applying, applied, failed or rolled_back. */
            stage: string;
            to?: string | null;
            /**
             * Format: int64
             * @description Grows with every change; the ETag.
             */
            version: number;
            workload?: string | null;
        };
        RecommendationPage: {
            /**
             * Format: uint64
             * @description The federation's own time when this was read.
             */
            asOf: number;
            items: components["schemas"]["RecommendationItem"][];
            /** @description To be given back as `cursor` for the next page; absent on the last. */
            nextCursor?: string | null;
            /**
             * Format: int64
             * @description All that fit, on whatever page.
             */
            total: number;
        };
        RefusedItem: {
            action: string;
            because: string;
        };
        /** @description What became of a call. */
        ReplyItem: {
            /** @description Whether the model ended by itself, and not because it had no tokens left. */
            complete: boolean;
            /** Format: uint64 */
            completionTokens: number;
            /** Format: int64 */
            costMicroDollars: number;
            /** @description Why there is no answer, if there is none: timed_out, rate_limited, budget_exhausted … */
            failure?: string | null;
            /** @description What the provider said about it. */
            message?: string | null;
            /** Format: uint64 */
            promptTokens: number;
            /** @description The model's own words, in detail only. Nobody has checked them. */
            text?: string | null;
            /**
             * Format: uint64
             * @description In milliseconds, all tries included.
             */
            took: number;
            /** Format: uint32 */
            tries: number;
        };
        /** @description Providers add words of their own, which are ignored. */
        ReturnQuery: {
            code?: string | null;
            /** @description Why the provider let nobody in. */
            error?: string | null;
            /** @description Which provider it was, where it says so. */
            iss?: string | null;
            state?: string | null;
        };
        ReviewItem: {
            /** Format: uint64 */
            at: number;
            /** Format: int64 */
            atWall: number;
            by: string;
            note?: string | null;
            /** @description approve, reject or defer. */
            verdict: string;
        };
        /** @description What can be allowed. */
        Right: "see-world" | "see-desk" | "propose" | "speak-for-agent" | "decide" | "steer" | "administer" | "audit" | "be-somebody";
        /** @enum {string} */
        RiskWord: "low" | "medium" | "high";
        /** @description What somebody is allowed to be. */
        Role: "viewer" | "operator" | "admin" | "agent" | "auditor";
        /** @description Runs of a comparison, counted: one for each strategy and seed. */
        RunCounts: {
            /** Format: uint */
            all: number;
            /** Format: uint */
            done: number;
            /**
             * Format: uint
             * @description Of those done, how many failed or took too long. They are in no mean.
             */
            troubled: number;
        };
        /** @description One run of the loop. */
        RunItem: {
            /** @description The version of the program that decided. */
            build: string;
            /** Format: int64 */
            endedWall?: number | null;
            id: string;
            /** @description simulated or real. */
            kind: string;
            /**
             * Format: int64
             * @description The last entry of the record that belongs to it.
             */
            lastSeq: number;
            scenario: string;
            scenarioHash: string;
            seed: string;
            /** Format: int64 */
            startedWall: number;
            /** @description running, ended or abandoned. */
            status: string;
        };
        RunPage: {
            items: components["schemas"]["RunItem"][];
            /** @description To be given back as `cursor` for the next page; absent on the last. */
            nextCursor?: string | null;
            /**
             * Format: int64
             * @description All of them, on whatever page.
             */
            total: number;
        };
        RunQuery: {
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /**
             * Format: uint32
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
        };
        /** @description A scenario that can be tried. */
        ScenarioItem: {
            /** Format: uint */
            clusters: number;
            description: string;
            /** @description Whether it is the one that runs at this desk. */
            isOwn: boolean;
            /** Format: uint64 */
            lastsMs: number;
            name: string;
            /**
             * Format: uint
             * @description Those that come later included.
             */
            workloads: number;
        };
        /** @description A part of the federation; everything where nothing is named. */
        ScopeItem: {
            clusters: string[];
            namespaces: string[];
        };
        ScopeWish: {
            /** @default [] */
            clusters?: string[];
            /** @default [] */
            namespaces?: string[];
        };
        /**
         * @description A part of the federation, as requests name it.
         * @enum {string}
         */
        ScopeWord: "everything" | "cluster" | "namespace" | "workload" | "agent";
        Selection: {
            /** @description Recommendations that wait for an answer: R-1, R-2 … */
            ids: string[];
        };
        /** @description Whoever sends the request, as the desk knows them. */
        SessionItem: {
            /** @description How they were recognised: token or session. */
            by: string;
            /** @description In a session: what goes into the header X-CSRF-Token of every change. */
            csrfToken?: string | null;
            /**
             * Format: int64
             * @description In a session: when it ends whatever happens.
             */
            endsWall?: number | null;
            /**
             * Format: int64
             * @description In a session: when it ends if nothing more happens, in milliseconds since 1970.
             */
            expiresWall?: number | null;
            /** @description The name under which they decide or propose. */
            name: string;
            /** @description What they may do. */
            rights: components["schemas"]["Right"][];
            role: components["schemas"]["Role"];
            scope: components["schemas"]["ScopeItem"];
        };
        SignalItem: {
            /**
             * Format: uint64
             * @description When it was true, in the federation's own time.
             */
            at: number;
            /** Format: double */
            value: number;
        };
        /** @description One of the two. */
        SignIn: {
            /** @description A code that counts once. */
            code?: string | null;
            /** @description A token of a person. */
            token?: string | null;
        };
        /** @description What the federation looked like at a moment. */
        SnapshotItem: {
            hash: string;
            run: string;
            /** @description As agents see it. */
            snapshot: unknown;
            /** Format: int64 */
            storedWall: number;
            /** Format: int64 */
            takenAt: number;
        };
        /** @enum {string} */
        SpeakerWord: "system" | "user" | "assistant";
        /** @description A place within a cluster: one of the two. */
        SpotWish: {
            node?: string | null;
            pool?: string | null;
        };
        /** @description One strategy in one metric. */
        StandingItem: {
            /** @description Shown to be the best. */
            best: boolean;
            /** Format: double */
            high: number | null;
            /**
             * Format: double
             * @description The 95 % interval of the mean; null with a single seed.
             */
            low: number | null;
            /** Format: double */
            mean: number;
            /**
             * Format: uint
             * @description Completed runs.
             */
            n: number;
            /**
             * Format: uint
             * @description 1 for the best mean; equal means share a rank. Null where neither way is better.
             */
            rank: number | null;
            /** @description Seed and value of every completed run. */
            values: [
                number,
                number
            ][];
            /** @description Null for the baseline itself. */
            versusBaseline: components["schemas"]["VersusItem"] | null;
        };
        StartedComparison: {
            /** @description C-1, C-2 … */
            id: string;
        };
        /** @description The banner of the page. */
        Status: {
            /**
             * Format: uint64
             * @description The federation's own time, in milliseconds since its beginning.
             */
            at: number;
            /** Format: int64 */
            atWall: number;
            build: string;
            /** Format: double */
            costPerHour: number;
            ended: boolean;
            /**
             * Format: double
             * @description The same, as it is now.
             */
            factor: number;
            freezes: components["schemas"]["FreezeItem"][];
            /** @description What could not be observed. */
            gaps: string[];
            mode: string;
            /**
             * Format: uint64
             * @description When the federation was last observed.
             */
            observedAt?: number | null;
            paused: boolean;
            /**
             * Format: uint32
             * @description Over the whole federation.
             */
            podsPending: number;
            run: string;
            scenario: string;
            /**
             * Format: int64
             * @description The last entry of the record.
             */
            seq: number;
            /**
             * Format: double
             * @description Virtual seconds in a real one, as wanted.
             */
            speed: number;
            /** Format: double */
            speedWhileWaiting?: number | null;
            /**
             * Format: uint
             * @description Actions that are approved or being carried out.
             */
            underWay: number;
            /**
             * Format: uint
             * @description Recommendations that wait for an answer.
             */
            waiting: number;
            /** @description simulated or real. */
            world: string;
        };
        StepItem: {
            /** Format: uint64 */
            at: number;
            /** @description order_sent, order_taken, target_making, target_ready, source_leaving, source_gone, done and so on. */
            step: string;
        };
        /** @description A strategy that can be tried. */
        StrategyItem: {
            name: string;
            /** @description What it does. */
            says: string;
        };
        /** @description A message that was put on its way. */
        TestMessage: {
            /** @description The `Webhook-Id` that it carries; the list of deliveries says what became of it. */
            id: string;
        };
        /** @description A token without its secret. */
        TokenItem: {
            createdBy: string;
            /** Format: int64 */
            createdWall: number;
            /** Format: int64 */
            expiresWall?: number | null;
            /** @description `T-4f0c…`. */
            id: string;
            /** @description The name under which its holder decides or proposes. */
            name: string;
            /** Format: int64 */
            revokedWall?: number | null;
            role: string;
            scope: components["schemas"]["ScopeItem"];
            /**
             * Format: int64
             * @description When it was last used, to the minute.
             */
            usedWall?: number | null;
        };
        TokenPage: {
            items: components["schemas"]["TokenItem"][];
            /** @description To be given back as `cursor` for the next page; absent on the last. */
            nextCursor?: string | null;
            /**
             * Format: uint
             * @description All of them, on whatever page.
             */
            total: number;
        };
        TokenQuery: {
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /**
             * Format: uint
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
        };
        TokenWish: {
            /** @description Whose it is. An agent proposes under this name. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description The part of the federation that its holder may touch; everything by default. */
            scope?: components["schemas"]["ScopeWish"] | null;
            /**
             * Format: uint64
             * @description How long it counts, up to what the desk's file allows; 30 days by default.
             */
            seconds?: number | null;
        };
        /** @description How an agent's predictions turned out. */
        TrackRecordItem: {
            /**
             * Format: uint64
             * @description Of these, how many came out within the interval.
             */
            inside: number;
            /** Format: uint64 */
            predicted: number;
        };
        /**
         * @description What may be said about a difference.
         * @enum {string}
         */
        VerdictWord: "differs" | "not-shown" | "too-few-seeds";
        /** @description What a check of the record found. */
        VerificationItem: {
            /**
             * Format: int64
             * @description The first entry that is not what it was, and why.
             */
            brokenAt?: number | null;
            /** Format: int64 */
            entries: number;
            finding?: string | null;
            /** @description The hash that vouches for everything; note it somewhere else. */
            hash?: string | null;
            intact: boolean;
        };
        /** @description One strategy minus the baseline, on the seeds that both completed. */
        VersusItem: {
            /** Format: double */
            difference: number;
            /** Format: double */
            high: number | null;
            /**
             * Format: double
             * @description The 95 % interval of the difference; null with a single seed.
             */
            low: number | null;
            /**
             * Format: double
             * @description Of such a difference by chance, corrected for all questions asked; null if there is no difference at all.
             */
            probability: number | null;
            verdict: components["schemas"]["VerdictWord"];
        };
        /** @description What became of a list. The engine looks at the status alone; people and programs that look further learn the rest. */
        WaspAnswer: {
            accepted: components["schemas"]["WaspResult"][];
            /**
             * Format: uint64
             * @description The number that all recommendations of this list share.
             */
            batch: number;
            /** @description Those that waited already. */
            kept: components["schemas"]["WaspResult"][];
            message: string;
            refused: components["schemas"]["WaspResult"][];
            /** @description success. */
            status: string;
            /**
             * Format: uint
             * @description Entries that want nothing changed.
             */
            staying: number;
        };
        /** @description A workload and where it should run. Older forms are read too. */
        WaspEntry: {
            /** Format: uint64 */
            batch_id?: number | null;
            /** Format: uint64 */
            destination_cluster: number;
            /** @description deployment or job. */
            kind: string;
            /**
             * Format: uint64
             * @description The number of a cluster in the order of the scenario, from 0.
             */
            origin_cluster?: number | null;
            reason?: string | null;
            /** @description `namespace/name`. */
            workload_id: string;
        };
        WaspResult: {
            /** @description Why it was refused. */
            because?: string | null;
            /** @description The recommendation that stands on the desk for it. */
            id?: string | null;
            /** @description `deployment/namespace/name`. */
            workload: string;
        };
        /** @description How people can sign in besides with a code or a token. */
        WaysIn: {
            /** @description The identity provider behind /login/oidc, if there is one. */
            identityProvider?: string | null;
        };
        /** @description Somebody who is told. */
        WebhookItem: {
            /** @description Whether the desk's file still names it. */
            active: boolean;
            /**
             * Format: int64
             * @description Given up, after the last try or for their age.
             */
            dead: number;
            /**
             * Format: int64
             * @description Told since it was first named.
             */
            delivered: number;
            /** @description Kinds of events; all if there are none. */
            events: string[];
            /** @description What went wrong the last time that something did, and when, in milliseconds since 1970. */
            lastError?: string | null;
            /** Format: int64 */
            lastErrorWall?: number | null;
            /**
             * Format: int64
             * @description When a message was last taken.
             */
            lastSuccessWall?: number | null;
            name: string;
            /** @description Where messages go, without a query. */
            url: string;
            /**
             * Format: int64
             * @description Events that are still to be told.
             */
            waiting: number;
        };
        /** @description The pods of the action's workload in one cluster, before and after. */
        WorkloadChange: {
            after: components["schemas"]["PodCount"];
            before: components["schemas"]["PodCount"];
        };
        /** @description A workload with its placements. */
        WorkloadItem: {
            /** Format: uint64 */
            createdAt: number;
            each: components["schemas"]["Amounts"];
            kind: string;
            /** Format: uint64 */
            lastMovedAt?: number | null;
            movable: boolean;
            moving: boolean;
            name: string;
            namespace: string;
            placements: components["schemas"]["PlacementItem"][];
            /** Format: uint32 */
            podsPending: number;
            /** Format: int32 */
            priority: number;
            /** Format: uint32 */
            replicas: number;
            signals: {
                [key: string]: components["schemas"]["SignalItem"];
            };
            /** @description `deployment/default/frontend`. */
            workload: string;
        };
        WorkloadPage: {
            /** Format: uint64 */
            asOf: number;
            items: components["schemas"]["WorkloadItem"][];
            nextCursor?: string | null;
            /** Format: uint */
            total: number;
        };
        WorkloadQuery: {
            /** @description Only those with pods here. */
            cluster?: string | null;
            /** @description The `nextCursor` of the page before. */
            cursor?: string | null;
            /**
             * Format: uint
             * @description How many at most; 100 by default.
             */
            limit?: number | null;
            namespace?: string | null;
            /** @description Only those with pods that wait for a node. */
            pending?: boolean | null;
            /** @description Part of the name. */
            search?: string | null;
            /** @description What to sort by, with a minus for descending: name, the usual one, cpu, what all replicas request, or cluster, the first of them. */
            sort?: string | null;
        };
    };
    responses: never;
    parameters: {
        /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
        CsrfToken: string;
        /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description How the file is called. */
        ContentDisposition: string;
        /** @description The version of what is told, for the If-Match of a request that depends on it. */
        ETag: string;
        /** @description true if the first answer to this Idempotency-Key is given again. */
        IdempotentReplayed: "true";
        /** @description Where to go, or where what was made is found. */
        Location: string;
        /** @description How the file is called. */
        PerhapsContentDisposition: string;
        /** @description The version of what is told, for the If-Match of a request that depends on it. */
        PerhapsETag: string;
        /** @description true if the first answer to this Idempotency-Key is given again. */
        PerhapsIdempotentReplayed: "true";
        /** @description Where to go, or where what was made is found. */
        PerhapsLocation: string;
        /** @description Seconds to wait before the request is sent again. */
        PerhapsRetryAfter: number;
        /** @description What a browser keeps of its session. */
        PerhapsSetCookie: string;
        /** @description How somebody says who they are. */
        PerhapsWWWAuthenticate: string;
        /** @description How the request is called, here, in the instance of a problem, and in the log of the desk. */
        PerhapsXRequestId: string;
        /** @description Seconds to wait before the request is sent again. */
        RetryAfter: number;
        /** @description What a browser keeps of its session. */
        SetCookie: string;
        /** @description How somebody says who they are. */
        WWWAuthenticate: string;
        /** @description How the request is called, here, in the instance of a problem, and in the log of the desk. */
        XRequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description null */
                cursor?: string;
                /** @description null */
                limit?: number;
                /** @description Only decisions of which something came: something new, refused or disregarded, or somebody else who decided. */
                telling?: boolean;
                /** @description At this moment of the federation's own time or before, in milliseconds. */
                until?: number;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
                seq: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Who: person:anna, agent:keep-headroom, world … */
                actor?: string;
                /** @description Oldest first. */
                ascending?: boolean;
                /** @description null */
                cursor?: string;
                /** @description Written at this moment or later, in milliseconds since 1970. */
                from?: number;
                /** @description One or several kinds, with commas: reviewed,ordered */
                kind?: string;
                /** @description null */
                limit?: number;
                /** @description null */
                run?: string;
                /** @description What it was done to: R-42 … */
                subject?: string;
                /** @description Written before this moment, in milliseconds since 1970. */
                until?: number;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeBackup: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.sqlite3": string;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockWish"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listClusters: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterDetail"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideMany: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"][];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watchEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that was seen, 0-0 for none; the header Last-Event-ID says the same. From now on by default. */
                after?: string;
                /** @description Beginnings of event types, with commas: recommendation,execution */
                topics?: string;
            };
            header?: {
                /** @description The id of the last event that was seen; what came after it is told first. */
                "Last-Event-ID"?: string;
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
                /** @description One or several, with commas: applying,failed */
                stage?: string;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    abortExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionItem"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecommendationDetail"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The world has moved on; A guardrail refuses it; It is frozen; It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFreezes: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreezeItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FreezeWish"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreezeAnswer"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    liftFreeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGuardrails: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guardrails"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @description Only this cluster; all of them by default. */
                cluster?: string;
                /** @description From this moment on, in milliseconds of the federation's own time; its beginning by default. */
                from?: number;
                /** @description How many at most; 300 by default. */
                points?: number;
                /** @description Up to this moment; now by default. */
                to?: number;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryItem"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listComparisons: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComparisonWish"];
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedComparison"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonDetail"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getComparisonFigure: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getComparisonResults: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLabScenarios: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLabStrategies: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StrategyItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelWish"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelItem"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getModes: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Modes"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setMode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModeWish"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Modes"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clearMode: {
        parameters: {
            query: {
                /** @description Whose recommendations; left out for a mode that counts for everybody's. */
                agent?: string;
                /** @description null */
                name?: string;
                /** @description null */
                reason: string;
                /** @description null */
                scope: components["schemas"]["ScopeWord"];
            };
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Modes"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewTogether: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Selection"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionItem"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was decided already */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRecommendations: {
        parameters: {
            query?: {
                /** @description null */
                agent?: string;
                /** @description On either side of the action. */
                cluster?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description migrate, move, scale, resize_pool or hold. */
                kind?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
                /** @description null */
                namespace?: string;
                /** @description This risk or a higher one: low, medium or high. */
                risk?: string;
                /** @description Another run than the one that goes on now. */
                run?: string;
                /** @description A text in workload, agent or reason; for whoever sees a part of the federation, in the workload only. */
                search?: string;
                /** @description What to sort by, with a minus for descending: -raised_at, expires_at, risk, benefit, workload, agent, stage … */
                sort?: string;
                /** @description One or several, with commas: pending,applying */
                stage?: string;
                /** @description Exactly this workload: deployment/default/frontend, or default/frontend for a Deployment. */
                workload?: string;
                /** @description Part of the workload's name. */
                workload_contains?: string;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecommendationPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    propose: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalWish"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalAnswer"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRecommendation: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecommendationDetail"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decide: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag of what was read; the request is refused if it has changed. */
                "If-Match": string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecommendationDetail"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that; Somebody else has to approve it */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The world has moved on; It has expired; Another plan took its place; It was decided already; A guardrail refuses it; The clusters refuse it; It is frozen; It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody changed it meanwhile */
            412: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request must say which version it is about */
            428: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeTarget: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The ETag of what was read; the request is refused if it has changed. */
                "If-Match": string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTarget"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecommendationDetail"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that; Somebody else has to approve it */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The world has moved on; It has expired; Another plan took its place; It was decided already; A guardrail refuses it; The clusters refuse it; It is frozen; It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody changed it meanwhile */
            412: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request must say which version it is about */
            428: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    whoAmI: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionItem"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWaysIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaysIn"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOutSomebody: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: for 24 hours it is refused. The first answer holds a secret and is not kept. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenWish"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be; This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookItem"][];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
                /** @description waiting, delivered or dead; all by default. */
                state?: components["schemas"]["DeliveryState"] | null;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: the first answer is given again for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMessage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key came with another request */
            422: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["PerhapsIdempotentReplayed"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkloads: {
        parameters: {
            query?: {
                /** @description Only those with pods here. */
                cluster?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many at most; 100 by default. */
                limit?: number;
                /** @description null */
                namespace?: string;
                /** @description Only those with pods that wait for a node. */
                pending?: boolean;
                /** @description Part of the name. */
                search?: string;
                /** @description What to sort by, with a minus for descending: name, the usual one, cpu, what all replicas request, or cluster, the first of them. */
                sort?: string;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkloadPage"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkload: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                kind: string;
                name: string;
                namespace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkloadItem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    applyList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaspEntry"][];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaspAnswer"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginLogin: {
        parameters: {
            query?: {
                /** @description Where to go afterwards: a path of this desk. */
                back?: string;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            303: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishLogin: {
        parameters: {
            query?: {
                /** @description null */
                code?: string;
                /** @description Why the provider let nobody in. */
                error?: string;
                /** @description Which provider it was, where it says so. */
                iss?: string;
                /** @description null */
                state?: string;
            };
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            303: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    applyWaspList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The csrfToken of the session: required with a session's cookie, not heeded with a token. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaspEntry"][];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaspAnswer"];
                };
            };
            /** @description The request cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It collides with something else */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This kind of content is not understood */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request says something that cannot be */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWaspMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the caller calls the request. At most 64 letters, digits, `-`, `_` and `.`; the desk finds a name for requests that bring another one, or none. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Who are you? */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description You may not do that */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong on our side */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now */
            503: {
                headers: {
                    "Retry-After": components["headers"]["PerhapsRetryAfter"];
                    "X-Request-Id": components["headers"]["PerhapsXRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
