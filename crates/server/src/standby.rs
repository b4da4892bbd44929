//! What a replica answers while another one works: it is alive, and it is not ready.

use crate::entrance::{self, Limits};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Whoever asks while nobody is ready may ask again after so many seconds: a lease changes hands within about twenty.
const ASK_AGAIN: &str = "5";

/// Answers until `until` is ready. `holder` tells who works; it is asked whenever somebody wants to know.
pub async fn serve(
    listener: TcpListener,
    holder: impl Fn() -> String + Send + Sync + 'static,
    until: impl Future<Output = ()>,
) {
    entrance::serve(listener, (router(Arc::new(holder)), None), Limits::default(), 0, until).await;
}

fn router(holder: Arc<dyn Fn() -> String + Send + Sync>) -> Router {
    let standby = move || {
        let name = holder();
        let who =
            if name.is_empty() { "nobody is known to work".to_owned() } else { format!("{name} works") };
        let body = format!("standby: {who}\n");
        std::future::ready(
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, ASK_AGAIN)], body).into_response(),
        )
    };
    Router::new().route("/healthz", get(|| async { "alive\n" })).fallback(standby)
}
