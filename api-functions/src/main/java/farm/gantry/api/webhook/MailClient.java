package farm.gantry.api.webhook;

import farm.gantry.api.notification.ChannelRequest;
import farm.gantry.api.notification.MessagePicture;
import farm.gantry.notification.NotificationChannel.Security;
import io.micronaut.context.annotation.Requires;
import jakarta.activation.DataHandler;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.util.ByteArrayDataSource;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits e-mails to mail servers by SMTP, over connections to addresses that were checked. An e-mail is sent to all its
 * recipients or, if the server refuses one of them, to none. The functions on AWS lack the library.
 */
@Singleton
@Requires(classes = SMTPTransport.class)
final class MailClient {
    private static final Logger LOG = LoggerFactory.getLogger(MailClient.class);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.US);
    /** The lowest reply code with which a server refuses something. */
    private static final int FIRST_FAILURE = 400;
    /** Some servers delay their greeting to deter senders of spam. */
    private static final Duration TOTAL = Duration.ofSeconds(40);

    private final PinnedHttpClient connections;
    private final SSLSocketFactory tls;
    private final Duration total;

    @Inject
    MailClient(PinnedHttpClient connections) {
        this(connections, (SSLSocketFactory) SSLSocketFactory.getDefault(), TOTAL);
    }

    MailClient(PinnedHttpClient connections, SSLSocketFactory tls, Duration total) {
        this.connections = connections;
        this.tls = tls;
        this.total = total;
    }

    /**
     * Submits an e-mail; its message id is made of the delivery's id, by which mail servers and people recognise a repeated one.
     *
     * @throws IOException if the server does not reply, with a message for the delivery log
     */
    DeliveryClient.Reply send(ChannelRequest.Mail mail, String id, Instant at) throws IOException {
        return connections.talk(mail.server(), total, socket -> submit(mail, id, at, socket));
    }

    private DeliveryClient.Reply submit(ChannelRequest.Mail mail, String id, Instant at, Socket socket)
            throws IOException {
        socket.setSoTimeout(Math.toIntExact(total.toMillis()));
        Session session = Session.getInstance(properties(mail, socket));
        URI server = mail.server();
        SMTPTransport transport = new SMTPTransport(
                session, new URLName("smtp", server.getHost(), server.getPort(), null, mail.user(), mail.password()));
        try {
            transport.connect(socket);
            MimeMessage message = message(session, mail, id, at);
            transport.sendMessage(message, message.getAllRecipients());
            return reply(transport.getLastReturnCode(), transport.getLastServerResponse());
        } catch (MessagingException e) {
            return refusal(transport, e);
        } finally {
            close(transport);
        }
    }

    private static void close(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            LOG.debug("the session with a mail server did not end properly: {}", e.toString());
        }
    }

    private Properties properties(ChannelRequest.Mail mail, Socket socket) {
        Properties properties = new Properties();
        properties.put("mail.smtp.localhost", addressLiteral(socket.getLocalAddress()));
        properties.put("mail.smtp.from", mail.sender());
        properties.put("mail.smtp.auth", String.valueOf(mail.user() != null));
        properties.put("mail.smtp.auth.mechanisms", "PLAIN LOGIN");
        properties.put("mail.smtp.starttls.required", String.valueOf(mail.security() == Security.starttls));
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put("mail.smtp.ssl.socketFactory", tls);
        properties.put("mail.smtp.quitwait", "false");
        return properties;
    }

    /** Returns the name of this client for the server; a host name would need a lookup and may be unknown outside. */
    private static String addressLiteral(InetAddress address) {
        String text = address.getHostAddress().replaceFirst("%.*", "");
        return address instanceof Inet6Address ? "[IPv6:" + text + "]" : "[" + text + "]";
    }

    private static MimeMessage message(Session session, ChannelRequest.Mail mail, String id, Instant at)
            throws MessagingException, UnsupportedEncodingException {
        String domain = mail.sender().substring(mail.sender().indexOf('@') + 1);
        MimeMessage message = new IdentifiedMessage(session, "<" + id + "@" + domain + ">");
        message.setFrom(new InternetAddress(mail.sender(), "Gantry"));
        for (String recipient : mail.recipients()) {
            message.addRecipient(RecipientType.TO, new InternetAddress(recipient));
        }
        message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
        if (mail.picture() == null) {
            message.setText(mail.text(), StandardCharsets.UTF_8.name());
        } else {
            message.setContent(withPicture(mail.text(), mail.picture()));
        }
        message.setHeader("Date", DATE.format(at.atOffset(ZoneOffset.UTC)));
        message.setHeader("Auto-Submitted", "auto-generated");
        if (mail.isImportant()) {
            message.setHeader("Importance", "high");
        }
        message.saveChanges();
        return message;
    }

    private static MimeMultipart withPicture(String text, MessagePicture picture) throws MessagingException {
        MimeBodyPart textPart = new MimeBodyPart();
        textPart.setText(text, StandardCharsets.UTF_8.name());
        MimeBodyPart picturePart = new MimeBodyPart();
        picturePart.setDataHandler(new DataHandler(new ByteArrayDataSource(picture.bytes(), picture.mediaType())));
        picturePart.setFileName(picture.fileName());
        return new MimeMultipart(textPart, picturePart);
    }

    /** A message with an id of our own. */
    private static final class IdentifiedMessage extends MimeMessage {
        private final String id;

        IdentifiedMessage(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }

    /** Returns the reply with which the server refused the message; throws if there was none. */
    private static DeliveryClient.Reply refusal(SMTPTransport transport, MessagingException failure)
            throws IOException {
        IOException broken = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SMTPAddressFailedException refused) {
                return reply(refused.getReturnCode(), refused.getAddress() + ": " + withoutCode(refused.getMessage()));
            }
            broken = cause instanceof IOException found ? found : broken;
        }
        if (broken != null) {
            throw broken;
        }
        if (transport.getLastReturnCode() >= FIRST_FAILURE) {
            return reply(transport.getLastReturnCode(), transport.getLastServerResponse());
        }
        throw new IOException(failure.getMessage(), failure);
    }

    private static DeliveryClient.Reply reply(int code, @Nullable String text) {
        return new DeliveryClient.Reply(code, withoutCode(text), Duration.ZERO);
    }

    /** Returns the text of a reply without the code at the beginning of each line. */
    private static String withoutCode(@Nullable String text) {
        return Objects.requireNonNullElse(text, "")
                .replaceAll("(?m)^[0-9]{3}[ -]", "")
                .strip();
    }
}
