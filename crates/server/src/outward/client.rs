//! One request, one connection, one answer of limited size within a limited time.

use super::reach::Reach;
use crate::trust;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};
use futures_util::StreamExt as _;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;

/// Headers of an answer, all together.
const MOST_HEADER_BYTES: usize = 64 * 1024;

/// How long one of several addresses of a host is tried.
const CONNECTING: Duration = Duration::from_secs(5);

/// A request to somebody else.
pub(crate) struct Call<'a> {
    pub(crate) method: Method,
    pub(crate) url: &'a str,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
    pub(crate) reach: Reach,
    /// A longer answer is none.
    pub(crate) most_bytes: usize,
    /// From looking up the name to the last byte.
    pub(crate) patience: Duration,
}

/// What was answered. A redirection is an answer; nobody is followed.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// An answer of which the beginning is there, and the rest is read piece by piece.
pub(crate) struct Opened {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: BodyDataStream,
    _driver: Driver,
}

impl Opened {
    /// What comes next; nothing at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let piece = self.body.next().await.transpose();
        piece.map_err(|error| Failure::Broken(error.to_string()))
    }

    async fn read_to_its_end(self, most: usize) -> Result<Reply, Failure> {
        let body = axum::body::to_bytes(Body::from_stream(self.body), most).await;
        let body = body.map_err(|_| Failure::TooLarge(most))?;
        Ok(Reply { status: self.status, body: body.into() })
    }
}

/// Why there was no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("the address has no scheme that is known, no host, or a password in it")]
    Address,
    #[error("{host} has no address")]
    Unknown { host: String },
    #[error("{host} lies where this desk does not go: it is local, private or reserved")]
    OutOfReach { host: String },
    #[error("cannot connect to {host}")]
    Unreachable {
        host: String,
        #[source]
        source: io::Error,
    },
    #[error("no encrypted connection: {0}")]
    Encryption(String),
    #[error("no answer within {} s", .0.as_secs())]
    TooSlow(Duration),
    #[error("the answer is longer than {0} bytes, or was cut off")]
    TooLarge(usize),
    #[error("the connection broke: {0}")]
    Broken(String),
}

/// Makes connections. Certificates are those that the system trusts.
#[derive(Debug, Default)]
pub(crate) struct Client {
    encryption: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Client {
    pub(crate) async fn send(&self, call: Call<'_>) -> Result<Reply, Failure> {
        let (patience, most) = (call.patience, call.most_bytes);
        let exchange = async { self.open(call).await?.read_to_its_end(most).await };
        tokio::time::timeout(patience, exchange).await.map_err(|_| Failure::TooSlow(patience))?
    }

    /// As far as the beginning of the answer. How long that and the rest may take and be is for the caller to see to.
    pub(crate) async fn open(&self, call: Call<'_>) -> Result<Opened, Failure> {
        let place = Place::of(call.url)?;
        let stream = connect(&place, call.reach).await?;
        if !place.encrypted {
            return talk(stream, &place, call).await;
        }
        let name = ServerName::try_from(place.bare_host().to_owned());
        let name = name.map_err(|error| Failure::Encryption(error.to_string()))?;
        let connector = TlsConnector::from(self.encryption()?);
        let stream = connector.connect(name, stream).await;
        talk(stream.map_err(|error| Failure::Encryption(error.to_string()))?, &place, call).await
    }

    fn encryption(&self) -> Result<Arc<ClientConfig>, Failure> {
        self.encryption.get_or_init(trust::client).clone().map_err(Failure::Encryption)
    }
}

/// Where a request goes.
struct Place {
    encrypted: bool,
    host: String,
    port: u16,
    authority: String,
    path: String,
}

impl Place {
    fn of(url: &str) -> Result<Self, Failure> {
        let uri: Uri = url.parse().map_err(|_| Failure::Address)?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
        let authority = authority.ok_or(Failure::Address)?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(Failure::Address),
        };
        Ok(Self {
            encrypted,
            host: authority.host().to_owned(),
            port: authority.port_u16().unwrap_or(if encrypted { 443 } else { 80 }),
            authority: authority.to_string(),
            path: uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
        })
    }

    /// The host without the brackets of an IPv6 address.
    fn bare_host(&self) -> &str {
        self.host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&self.host)
    }
}

/// Looks the host up and connects to an address that may be reached; to exactly that one, whatever the name means a moment later.
async fn connect(place: &Place, reach: Reach) -> Result<TcpStream, Failure> {
    let host = || place.host.clone();
    let found = tokio::net::lookup_host((place.bare_host(), place.port)).await;
    let found: Vec<SocketAddr> = found.map_err(|_| Failure::Unknown { host: host() })?.collect();
    let allowed = found.into_iter().filter(|address| reach.allows(address.ip()));
    let mut last = Failure::OutOfReach { host: host() };
    for address in allowed {
        match tokio::time::timeout(CONNECTING, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(source)) => last = Failure::Unreachable { host: host(), source },
            Err(_) => {
                let source = io::Error::from(io::ErrorKind::TimedOut);
                last = Failure::Unreachable { host: host(), source };
            }
        }
    }
    Err(last)
}

/// A connection at work. It ends with whoever waited for it.
struct Driver(JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn talk<S>(stream: S, place: &Place, call: Call<'_>) -> Result<Opened, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let broken = |error: hyper::Error| Failure::Broken(error.to_string());
    let mut builder = http1::Builder::new();
    builder.max_buf_size(MOST_HEADER_BYTES);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let driver = Driver(tokio::spawn(async move {
        let _ = connection.await;
    }));
    let answer = sender.send_request(request(place, call)?).await.map_err(broken)?;
    let (parts, body) = answer.into_parts();
    let body = Body::new(body).into_data_stream();
    Ok(Opened { status: parts.status.as_u16(), headers: parts.headers, body, _driver: driver })
}

fn request(place: &Place, call: Call<'_>) -> Result<Request<Body>, Failure> {
    let mut request = Request::builder()
        .method(call.method)
        .uri(&place.path)
        .header(header::HOST, &place.authority)
        .header(header::USER_AGENT, concat!("drover/", env!("CARGO_PKG_VERSION")))
        .header(header::CONNECTION, "close");
    for (name, value) in call.headers {
        request = request.header(name, value);
    }
    request.body(Body::from(call.body)).map_err(|_| Failure::Address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    /// Answers one connection with these bytes and says where. A server that is told to hold on does not close.
    fn server(answer: Vec<u8>, hold: bool) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(&answer);
            if hold {
                let _ = stream.read(&mut request);
            }
        });
        address
    }

    fn send(url: &str, reach: Reach) -> Result<Reply, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (most_bytes, patience) = (1_000, Duration::from_millis(500));
        let (headers, body) = (Vec::new(), Bytes::new());
        let call = Call { method: Method::GET, url, headers, body, reach, most_bytes, patience };
        runtime.block_on(Client::default().send(call))
    }

    fn ask(answer: &str, hold: bool) -> Result<Reply, Failure> {
        let address = server(answer.as_bytes().to_vec(), hold);
        send(&format!("http://{address}/x?y=z"), Reach::ThisMachine)
    }

    #[test]
    fn an_answer_is_taken_as_it_is() {
        let reply = ask("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", false).expect("an answer");
        assert_eq!((reply.status, reply.body.as_slice()), (200, b"hello".as_slice()));
        let moved =
            ask("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", false);
        assert_eq!(moved.expect("an answer").status, 302, "nobody is followed");
    }

    #[test]
    fn limits_hold() {
        let long = format!("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n{}", "x".repeat(1_001));
        assert!(matches!(ask(&long, false), Err(Failure::TooLarge(1_000))));
        let endless =
            format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffff\r\n{}", "x".repeat(9_000));
        assert!(matches!(ask(&endless, true), Err(Failure::TooLarge(1_000))));
        assert!(matches!(ask("", true), Err(Failure::TooSlow(_))));
        assert!(matches!(
            ask("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe", true),
            Err(Failure::TooSlow(_))
        ));
        assert!(matches!(ask("SMTP ready\r\n", false), Err(Failure::Broken(_))));
        let header = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "y".repeat(200_000));
        assert!(matches!(ask(&header, false), Err(Failure::Broken(_))));
    }

    #[test]
    fn nobody_is_sent_where_they_should_not_go() {
        let address = server(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), false);
        for (url, reach) in [
            (format!("http://{address}/"), Reach::Public),
            (format!("http://{address}/"), Reach::Company),
            (format!("http://localhost:{}/", address.port()), Reach::Public),
            ("http://169.254.169.254/latest/meta-data".to_owned(), Reach::Company),
            ("https://[fe80::1]/".to_owned(), Reach::Company),
            ("http://0x7f000001/".to_owned(), Reach::Public),
        ] {
            let refused = send(&url, reach);
            let known = matches!(refused, Err(Failure::OutOfReach { .. } | Failure::Unknown { .. }));
            assert!(known, "{url}: {refused:?}");
        }
        for url in ["ftp://localhost/", "localhost", "http://a:b@localhost/", "", "http:///x"] {
            assert!(matches!(send(url, Reach::ThisMachine), Err(Failure::Address)), "{url}");
        }
        let closed = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address");
        assert!(matches!(
            send(&format!("http://{closed}/"), Reach::ThisMachine),
            Err(Failure::Unreachable { .. })
        ));
    }
}
